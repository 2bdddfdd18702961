import { defineError } from '../../common/errors/index.js';

export const invalidCustomHostname = defineError({
  code: 'invalid_custom_hostname',
  status: 422,
  message: 'This host name cannot be used.',
  hint: 'Use a name below a domain of yours, such as auth.example.com.',
  cause:
    'The name is a domain itself, which cannot be an alias (RFC 1034 §3.6.2), a suffix that belongs to nobody alone, a name inside a private network, or one of this service.',
  fix: 'Choose a name below your domain. Names at hosts of many, such as `example.vercel.app`, belong to the host.',
});

export const tooManyCustomHostnames = defineError({
  code: 'too_many_custom_hostnames',
  status: 422,
  message: 'The environment has as many host names as it may have.',
  hint: 'Delete a host name that is no longer used.',
  cause: 'An environment may have 20 host names.',
  fix: 'Delete host names that are no longer used.',
});
