import { defineError } from '../common/errors/index.js';

export const notSupportedByCustodian = defineError({
  code: 'not_supported_by_custodian',
  status: 422,
  message: 'The custodian of this wallet does not support this.',
  hint: 'See payload for the version of the wallet and the unsupported operation.',
  cause:
    'Wallets of different versions are held by different custodians, and the one of this wallet lacks what the operation needs.',
  fix: 'Use a wallet of another version, or have the operator add a custodian that can do it.',
});

export const noCompatibleWalletService = defineError({
  code: 'no_compatible_wallet_service_enabled',
  status: 422,
  message: 'This deployment has no custodian for wallets of that version.',
  hint: 'Set sdk.embeddedWallets.defaultWalletVersion to a version that is available, such as V1.',
  cause: 'The settings of the environment, or the wallet, name a version for which this deployment has no custodian.',
  fix: 'Change the default wallet version in the settings, or have the operator register a custodian.',
});

export const unsignableRequest = defineError({
  code: 'unsignable_request',
  status: 422,
  message: 'This cannot be signed: it is not what it is declared to be, or is for another wallet.',
  hint: 'payload.reason says what was found. Send the unsigned bytes from a library for the chain, with their kind.',
  cause:
    'Everything is fully parsed before it is signed. Digests, unknown kinds of transactions, transactions of other wallets and messages that are transactions are refused.',
  fix: 'Build the transaction or message for the address of the wallet, and declare its kind.',
});

export const importRefused = defineError({
  code: 'import_refused',
  status: 422,
  message: 'The private key was not imported. Nothing has changed.',
  hint: 'payload.reason says what was found. Begin another import: each public key can be used for one message.',
  cause:
    'The message cannot be decrypted, because it was sealed to another key or for another import or address; or it is not a private key of the chain, or not the one for the address.',
  fix: 'Seal the 32 bytes of the key to a public key of this import, as described in docs/wallet-import.md.',
});

export const networkNotAllowed = defineError({
  code: 'network_not_allowed',
  status: 422,
  message: 'This environment does not sign for this network.',
  hint: 'payload.networkId names the network. Enable it in the settings of the environment, or add it as a custom network.',
  cause:
    'A transaction or the domain of typed data names a network that the environment has not enabled. A signature for one network is never made under the name of another.',
  fix: 'Use a network of the environment, or have it enabled.',
});

export const keySharesDealt = defineError({
  code: 'key_shares_dealt',
  status: 422,
  message: 'The shares of this key were dealt by the service and cannot sign until they are refreshed.',
  hint: 'Fetch the shares with getEmbeddedWalletPasscode and recoverKeyShares, and refresh them with refreshKeyShares.',
  cause:
    'A server created the wallet in advance, or the wallet is being upgraded, so the service made all shares itself. Only the first refresh gives the user shares that the service does not know.',
  fix: 'Have the user’s device refresh the shares once after the wallet is claimed. docs/threshold.md has the steps.',
});

export const signerUnavailable = defineError({
  code: 'signer_unavailable',
  status: 503,
  message: 'Wallet keys cannot be used right now.',
  hint: 'Try again after the seconds given in Retry-After.',
  cause:
    'Keys are opened in a separate process, which does not answer. It is restarted automatically; everything that needs no key keeps working.',
  fix: 'Retry with back-off. Operators: check the last log lines of the signer, and `/readyz`.',
});
