import { defineError } from '../../../common/errors/index.js';
import { SecurityEvent } from '../../../common/security/index.js';

export const externalAuthDisabled = defineError({
  code: 'external_auth_disabled',
  status: 422,
  message: 'Sign-in by a token of another service is switched off here.',
  hint: 'Set `security.externalAuth` in the settings of the environment.',
  cause: 'The settings do not name an issuer, an audience and a key set, or `security.externalAuth.enabled` is false.',
  fix: 'Complete the settings and switch it on, or offer another way to sign in.',
});

export const invalidExternalToken = defineError({
  code: 'invalid_external_token',
  status: 401,
  security: SecurityEvent.ProofRefused,
  message: 'This token of another service is not accepted.',
  hint: 'Ask the service for a new token. Teams: checkExternalJwt lists what is wrong with one.',
  cause:
    'The token is missing, was issued more than five minutes ago, names another issuer or audience, or its signature fits no published key; or the key set could not be fetched. Which of these is told to the team alone.',
  fix: 'Try the token with `checkExternalJwt`, which names each fault.',
});

export const externalVerifyRetired = defineError({
  code: 'operation_retired',
  status: 410,
  message: 'This operation is retired.',
  hint: 'Use externalAuthSignin.',
  cause: 'Signing in by a token of another service and tying it to a user have become one operation.',
  fix: 'Call `POST /sdk/{environmentId}/externalAuth/signin`.',
});
