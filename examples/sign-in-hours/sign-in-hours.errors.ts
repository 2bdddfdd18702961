import { defineError } from '../../src/common/errors/index.js';

export const signInClosed = defineError({
  code: 'sign_in_closed',
  status: 403,
  message: 'Sign-in is closed at this hour.',
  hint: 'Come back when it opens: see Retry-After.',
  cause: 'This deployment admits people at certain hours only.',
  fix: 'Sign in during the opening hours. Sessions that are open already go on.',
});
