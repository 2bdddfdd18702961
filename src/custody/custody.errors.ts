import { defineError } from '../common/errors/index.js';

export const notSupportedByCustodian = defineError({
  code: 'not_supported_by_custodian',
  status: 422,
  message: 'The wallet is kept in a way that does not allow this.',
  hint: 'See payload: the version of the wallet, and what its custodian cannot do.',
  cause:
    'Wallets of different versions are held by different custodians, and the one of this wallet lacks what the operation needs.',
  fix: 'Use a wallet of another version, or have the operator add a custodian that can do it.',
});

export const noCompatibleWalletService = defineError({
  code: 'no_compatible_wallet_service_enabled',
  status: 422,
  message: 'This deployment has no custodian for wallets of that version.',
  hint: 'Set sdk.embeddedWallets.defaultWalletVersion to a version that is available, such as V1.',
  cause: 'The settings of the environment, or the wallet, name a version that nobody holds keys for here.',
  fix: 'Change the default wallet version in the settings, or have the operator register a custodian.',
});

export const unsignableRequest = defineError({
  code: 'unsignable_request',
  status: 422,
  message: 'This is not signed: it cannot be read as what it is said to be, or not by this wallet.',
  hint: 'payload.reason says what was found. Send the bytes that a library of the chain makes, unsigned, with their kind.',
  cause:
    'Everything that is signed is read first, to its last byte. Digests, unknown kinds of transactions, transactions of other wallets and messages that are transactions are refused.',
  fix: 'Build the transaction or message for the address of the wallet, and say its kind.',
});

export const importRefused = defineError({
  code: 'import_refused',
  status: 422,
  message: 'The private key is not taken over. Nothing has changed.',
  hint: 'payload.reason says what was found. Begin another import: a public key is good for one message.',
  cause:
    'What was sent does not open, since it was sealed to another key, for another import or another address, or it is no private key of the chain, or not the one of the address.',
  fix: 'Seal the 32 bytes of the key as docs/wallet-import.md says, to a public key of this import.',
});

export const networkNotAllowed = defineError({
  code: 'network_not_allowed',
  status: 422,
  message: 'Nothing is signed for this network here.',
  hint: 'payload.networkId names the network. Enable it in the settings of the environment, or add it as a custom network.',
  cause:
    'A transaction or the domain of typed data names a network that the environment has not enabled. A signature for one network is never made in the name of another.',
  fix: 'Use a network of the environment, or have it enabled.',
});

export const keySharesDealt = defineError({
  code: 'key_shares_dealt',
  status: 422,
  message: 'The shares of this key were dealt by the service. Nothing is signed with them.',
  hint: 'Fetch the shares with getEmbeddedWalletPasscode and recoverKeyShares, and refresh them with refreshKeyShares.',
  cause:
    'A server had the wallet made ahead of its user, or the wallet is being upgraded, so the service has made all shares itself. Shares that only the user has come with the first refresh.',
  fix: 'Have the device of the user refresh the shares once, after the wallet was claimed. docs/threshold.md has the steps.',
});

export const signerUnavailable = defineError({
  code: 'signer_unavailable',
  status: 503,
  message: 'Keys of wallets cannot be used right now.',
  hint: 'Try again after the seconds given in Retry-After.',
  cause:
    'Keys are opened in a process of their own, which does not answer. It is started again by itself; everything that needs no key goes on meanwhile.',
  fix: 'Retry with back-off. Operators: read what the signer wrote last, and ask `/readyz`.',
});
