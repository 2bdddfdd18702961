import { SecurityEvent } from '../../common/security/index.js';
import { defineError } from '../../common/errors/index.js';

export const invalidDelegation = defineError({
  code: 'invalid_delegated_access',
  status: 422,
  message: 'Access cannot be given like this.',
  hint: 'payload.reason says what is wrong.',
  cause: 'What is delivered was not sealed to the active key of the environment, or what it allows cannot be enforced.',
  fix: 'Read the active key (getDelegatedAccessEncryptionPublicKey), seal 32 random bytes to it, and send their SHA-256 as credentialHash.',
});

export const delegationDenied = defineError({
  code: 'delegated_access_denied',
  status: 422,
  message: 'The user has refused delegated access to this wallet.',
  hint: 'Ask the user to change the settings of the wallet (updateWaasWalletSettings).',
  cause: 'A user who refuses delegated access is not asked for it again by mistake: nothing is delivered meanwhile.',
  fix: 'Set hasDeniedDelegatedAccess to false, at the wish of the user.',
});

export const delegationOff = defineError({
  code: 'delegated_access_off',
  status: 422,
  message: 'The environment does not let its servers act for users.',
  hint: 'A member turns it on in the settings: sdk.waas.delegatedAccess.enabled.',
  cause: 'Delegated access is off in an environment until its team turns it on.',
  fix: 'Turn it on in the settings of the environment, and register an encryption key (createDelegatedCredentials).',
});

export const notToSharedKeys = defineError({
  code: 'no_delegated_access_to_shared_keys',
  status: 422,
  message: 'Access to a wallet with a shared key cannot be given to servers.',
  hint: 'Use an embedded wallet whose key the service holds (version V1).',
  cause:
    'A signature of a shared key (version V3) needs messages of the user’s share to a room, and no operation lets a server send them.',
  fix: 'Have the user sign with the client, or use a wallet of version V1.',
});

export const noDelegatedAccess = defineError({
  code: 'no_delegated_access',
  status: 403,
  security: SecurityEvent.TokenRefused,
  message: 'The user has not given this access.',
  hint: 'Send the credential of the newest delivery for the wallet in x-delegation-credential.',
  cause:
    'No access to the wallet was given, it was taken back, has expired or was given anew, or the credential is another one.',
  fix: 'Open the newest delivery for the wallet, or ask the user for access.',
});

export const beyondDelegatedAccess = defineError({
  code: 'beyond_delegated_access',
  status: 422,
  message: 'The user has not allowed this signature.',
  hint: 'payload.reason says why.',
  cause:
    'It is of a kind, for a network or an address that the user has not named, or exceeds one of the two caps with its fee.',
  fix: 'Sign something that the user has allowed, or ask for wider access.',
});
