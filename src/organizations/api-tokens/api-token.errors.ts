import { defineError } from '../../common/errors/index.js';

/** Limit on live tokens per environment, and per person. */
export const MAX_LIVE_TOKENS = 50;

export const tooManyApiTokens = defineError({
  code: 'too_many_api_tokens',
  status: 422,
  message: `There are ${MAX_LIVE_TOKENS} active API tokens already.`,
  hint: 'Delete a token that is no longer used.',
  cause: `An environment has at most ${MAX_LIVE_TOKENS} API tokens that have not expired, and a person the same number of personal ones.`,
  fix: 'List the tokens, delete those no longer used, and create the new one again.',
});

export const invalidScopes = defineError({
  code: 'invalid_scopes',
  status: 422,
  message: 'The token asks for scopes that its creator does not have.',
  hint: 'Ask for scopes of the creating token only, or create the token as an admin of the organization.',
  cause: 'An API token can create tokens whose scopes are among its own, and no others.',
  fix: 'Leave out the scopes named in `payload.additionalMessages`, or have an admin create the token.',
});
