import { defineError } from '../../common/errors/index.js';

export const invalidCorsOrigins = defineError({
  code: 'invalid_cors_origins',
  status: 422,
  message: 'This origin cannot be allowed.',
  hint: 'Use https://host or https://host:port, or https://*.your-domain for one label below a domain of yours.',
  cause:
    'The text is not an origin that a browser sends, is plain http (allowed only for localhost in a sandbox), or its wildcard would admit other people’s sites (`https://*.com`, `https://*.vercel.app`).',
  fix: 'Register the scheme, host and port of the site as the address bar shows them, without a path. Name sites below shared hosting one by one.',
});

export const tooManyOrigins = defineError({
  code: 'too_many_origins',
  status: 422,
  message: 'The environment has reached the limit of allowed origins.',
  hint: 'Delete an origin, or use a wildcard for several names below your domain.',
  cause: 'An environment may have 100 allowed origins.',
  fix: 'Delete origins that are no longer used; `https://*.example.com` stands for every name right below the domain.',
});
