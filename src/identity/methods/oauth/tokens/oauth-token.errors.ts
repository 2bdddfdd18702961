import { defineError } from '../../../../common/errors/index.js';

export const oauthTokenExpired = defineError({
  code: 'oauth_token_expired',
  status: 422,
  message: 'The provider token of this account has expired, and there is no newer one.',
  hint: 'Have the person sign in at the provider again.',
  cause:
    'The provider gave no refresh token, or another call that asked it for a new token was not answered within twenty seconds.',
  fix: 'Have the person sign in again; if tokens are needed for longer, add the scope for it to the provider where it has one, such as `offline_access`. Google needs no scope for it.',
});
