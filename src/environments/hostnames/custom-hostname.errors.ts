import { defineError } from '../../common/errors/index.js';

export const invalidCustomHostname = defineError({
  code: 'invalid_custom_hostname',
  status: 422,
  message: 'This host name cannot be used.',
  hint: 'Use a name under your own domain, such as auth.example.com.',
  cause:
    'The name is a bare domain, which cannot be an alias (RFC 1034 §3.6.2), a public suffix, a name in a private network, or a name of this service.',
  fix: 'Choose a name under your domain. Names on shared hosting, such as `example.vercel.app`, belong to the hosting provider.',
});

export const tooManyCustomHostnames = defineError({
  code: 'too_many_custom_hostnames',
  status: 422,
  message: 'The environment has reached the limit of hostnames.',
  hint: 'Delete a host name that is no longer used.',
  cause: 'An environment may have 20 host names.',
  fix: 'Delete host names that are no longer used.',
});
