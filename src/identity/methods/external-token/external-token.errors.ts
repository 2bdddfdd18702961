import { defineError } from '../../../common/errors/index.js';
import { SecurityEvent } from '../../../common/security/index.js';

export const externalAuthDisabled = defineError({
  code: 'external_auth_disabled',
  status: 422,
  message: 'Sign-in with a token from another service is turned off here.',
  hint: 'Set `security.externalAuth` in the settings of the environment.',
  cause: 'The settings do not name an issuer, an audience and a key set, or `security.externalAuth.enabled` is false.',
  fix: 'Complete the settings and turn it on, or offer another way to sign in.',
});

export const invalidExternalToken = defineError({
  code: 'invalid_external_token',
  status: 401,
  security: SecurityEvent.ProofRefused,
  message: 'This token from another service is not accepted.',
  hint: 'Get a new token from that service. Teams: checkExternalJwt lists what is wrong with a token.',
  cause:
    'The token is missing, was issued more than five minutes ago, names another issuer or audience, or its signature matches no published key; or the key set could not be fetched. Only the team can find out which.',
  fix: 'Check the token with `checkExternalJwt`, which lists each problem.',
});

export const externalVerifyRetired = defineError({
  code: 'operation_retired',
  status: 410,
  message: 'This operation is retired.',
  hint: 'Use externalAuthSignin.',
  cause: 'Signing in with a token from another service and linking it to a user are now one operation.',
  fix: 'Call `POST /sdk/{environmentId}/externalAuth/signin`.',
});
