import { defineError } from '../../common/errors/index.js';

export const noDelegationKey = defineError({
  code: 'no_delegation_key',
  status: 404,
  message: 'The team has not registered an encryption key.',
  hint: 'A server of the team registers the public half of an RSA key: createDelegatedCredentials.',
  cause: 'Access is given to servers under a key of the team, and this environment has no active one.',
  fix: 'Register an encryption key (createDelegatedCredentials), and turn delegated access on in the settings of the environment: sdk.waas.delegatedAccess.enabled.',
});

export const invalidDelegationKey = defineError({
  code: 'invalid_delegation_key',
  status: 422,
  message: 'This key cannot be used for encryption.',
  hint: 'payload.reason says what is wrong with it. Send the public half of an RSA key of 2048 to 4096 bits.',
  cause:
    'The text is not a public key, is another kind of key, too weak or a private key, or the algorithm is unknown.',
  fix: 'Make a key pair with openssl genpkey -algorithm RSA, keep the private key, and send the public one in PEM.',
});

export const delegationKeyPending = defineError({
  code: 'delegation_key_pending',
  status: 422,
  message: 'Another key is about to take over.',
  hint: 'Wait a minute, until it is active.',
  cause: 'A key that replaces an active one is pending for a minute, and only one can be pending.',
  fix: 'Register the key again once the one before it is active.',
});

export const tooManyDelegationKeys = defineError({
  code: 'too_many_delegation_keys',
  status: 422,
  message: 'The environment has reached the limit of encryption keys.',
  hint: 'Continue to use the active key.',
  cause: 'An environment keeps 100 keys, including replaced ones, since deliveries may be encrypted to them.',
  fix: 'Replace keys less often.',
});
