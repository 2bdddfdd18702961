import { SecurityEvent } from '../../common/security/index.js';
import { defineError } from '../../common/errors/index.js';

export const invalidDelegation = defineError({
  code: 'invalid_delegated_access',
  status: 422,
  message: 'The delegated access is not valid.',
  hint: 'payload.reason says what is wrong.',
  cause: 'The delivery was not encrypted to the active key of the environment, or its grant cannot be enforced.',
  fix: 'Read the active key (getDelegatedAccessEncryptionPublicKey), encrypt 32 random bytes to it, and send their SHA-256 as credentialHash.',
});

export const delegationDenied = defineError({
  code: 'delegated_access_denied',
  status: 422,
  message: 'The user has blocked delegated access to this wallet.',
  hint: 'Ask the user to change the settings of the wallet (updateWaasWalletSettings).',
  cause: 'Nothing can be delivered while a user blocks delegated access, so that it is not given by mistake.',
  fix: 'Set hasDeniedDelegatedAccess to false, if the user wants it.',
});

export const delegationOff = defineError({
  code: 'delegated_access_off',
  status: 422,
  message: 'Delegated access is turned off in this environment.',
  hint: 'A member can turn it on in the settings: sdk.waas.delegatedAccess.enabled.',
  cause: 'Delegated access is off in an environment until its team turns it on.',
  fix: 'Turn it on in the settings of the environment, and register an encryption key (createDelegatedCredentials).',
});

export const notToSharedKeys = defineError({
  code: 'no_delegated_access_to_shared_keys',
  status: 422,
  message: 'Servers cannot be given access to a wallet with a shared key.',
  hint: 'Use an embedded wallet whose key the service holds (version V1).',
  cause:
    'A signature with a shared key (version V3) needs messages from the user’s share in a room, and no operation lets a server send them.',
  fix: 'Have the user sign with the client, or use a wallet of version V1.',
});

export const noDelegatedAccess = defineError({
  code: 'no_delegated_access',
  status: 403,
  security: SecurityEvent.TokenRefused,
  message: 'The user has not given this access.',
  hint: 'Send the credential of the newest delivery for the wallet in x-delegation-credential.',
  cause:
    'Access to the wallet was never given, was revoked, has expired or was replaced, or the credential is a different one.',
  fix: 'Use the newest delivery for the wallet, or ask the user for access.',
});

export const beyondDelegatedAccess = defineError({
  code: 'beyond_delegated_access',
  status: 422,
  message: 'The user has not allowed this signature.',
  hint: 'payload.reason says why.',
  cause: 'The user has not allowed its kind, network or address, or including its fee it exceeds one of the two caps.',
  fix: 'Sign something that the user has allowed, or ask for wider access.',
});
