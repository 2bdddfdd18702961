import { defineError } from '../../../../common/errors/index.js';

export const oauthTokenExpired = defineError({
  code: 'oauth_token_expired',
  status: 422,
  message: 'The token of this account has ended, and there is no newer one.',
  hint: 'Have the person sign in at the provider again.',
  cause:
    'The provider gave no refresh token, or another call that asked it for a new token was not answered within twenty seconds.',
  fix: 'Have the person sign in again; where tokens are needed for longer, set the scope for it at the provider, such as `offline_access`.',
});
