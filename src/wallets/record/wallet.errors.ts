import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';

export const tooManyWallets = defineError({
  code: 'too_many_wallets',
  status: 422,
  message: 'The user has reached the limit of external wallets.',
  hint: 'Delete a wallet of the user first.',
  cause: 'A user can have 100 external wallets, and 20 wallets with shared or split keys.',
  fix: 'Delete wallets that are no longer used.',
});

export const tooManySharedWallets = (): Error =>
  tooManyWallets({ message: 'The user has reached the limit of wallets with shared keys.' });

export const linkedEmbeddedWallet = defineError({
  code: 'linked_embedded_wallet',
  status: 422,
  message: 'The user already has an embedded wallet.',
  hint: 'Restore the wallet if it is hidden.',
  cause: 'The operation creates embedded wallets only for users who have none; a hidden one counts.',
  fix: 'Use the existing wallet, or restore it.',
});

export const conflictingWalletProviders = defineError({
  code: 'conflicting_embedded_wallet_providers',
  status: 422,
  message: 'All embedded wallets in one request must use the same provider.',
  hint: 'Ask for `platformWaas` alone, or for `keyvault` and `keyvaulthd`.',
  cause: 'The request names providers whose wallets have different versions.',
  fix: 'Choose one of them.',
});

export const walletWithoutPasskey = defineError({
  code: 'wallet_not_support_passkey',
  status: 422,
  message: 'Wallets of this version do not support their own passkey.',
  hint: 'Omit embeddedWalletSpecificOpts, isAuthenticatorAttached and passkeyAlias.',
  cause: 'The request asks for a passkey that protects the keys, which the custodian of the wallet does not support.',
  fix: 'Create the wallet without a passkey.',
});

export const invalidWalletId = defineError({
  code: 'invalid_wallet_id',
  status: 422,
  message: 'The user has no such wallet.',
  hint: 'Use the id of one of the user’s wallets, or of its credential.',
  cause: 'No wallet has this id, or it is hidden, deleted or belongs to another user.',
  fix: 'Read the wallets of the user again.',
});

export const walletNotClaimed = defineError({
  code: 'wallet_not_claimed',
  status: 422,
  message: 'The wallet was created in advance and has not been claimed yet.',
  hint: 'Have its user claim it with claimEmbeddedWallet.',
  cause:
    'A server created the wallet for an identifier. Its keys cannot be used until the user has proven that identifier.',
  fix: 'Sign in with the identifier that the wallet was created for, and claim it.',
});

export const importedWalletExists = defineError({
  code: 'imported_wallet_exists',
  status: 422,
  message: 'An embedded wallet with this address already exists.',
  hint: 'Restore the wallet if it is hidden.',
  cause: 'An address on a chain belongs to one embedded wallet of an environment; a hidden one counts.',
  fix: 'Use the existing wallet, or restore it. A deleted wallet can be imported again.',
});

export const walletSignsIn = defineError({
  code: 'wallet_signs_in',
  status: 422,
  message: 'A user signs in with this address, so it cannot become an embedded wallet.',
  hint: 'Unlink the wallet first.',
  cause:
    'A user of the environment has proven the wallet, and the call would import or split its key, or derive it again from keys that were exported before. Once the service holds the key, its signature no longer proves who signs, so the user would lose a way to sign in.',
  fix: 'Unlink the wallet (verifyUnlink), which requires another way to sign in, and try again; or create a wallet with a new key.',
});

export const walletAddressTaken = defineError({
  code: 'wallet_address_taken',
  status: 409,
  message: 'Another user has a wallet with an address that this user’s keys would produce. Nothing was created.',
  hint: 'payload.chains lists the chains. Omit them to create the others.',
  cause:
    'Another user has imported a private key that this user exported. An address on a chain belongs to one embedded wallet of an environment; a hidden one counts.',
  fix: 'Create wallets only on other chains, or delete the imported wallet first.',
});

export const signedRequestRefused = defineError({
  code: 'signed_request_refused',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'The signed request was rejected.',
  hint: 'payload.reason says why. Prepare a new request, sign it with the key of this session, and send it once.',
  cause:
    'The request was changed, is older than a minute, was already carried out, differs from what was prepared, or is signed with a key that the session does not or no longer has: a key given at sign-in is valid for `sdk.embeddedWallets.sessionKeyDuration`, a day at most.',
  fix: 'Register a key for the session (registerSessionKey), prepare the request, stamp its text unchanged, and send it immediately.',
});

export const noHdWalletFound = defineError({
  code: 'no_hd_wallet_found',
  status: 422,
  message: 'The user has no HD wallet.',
  hint: 'Create an embedded wallet first.',
  cause: 'Accounts are derived from a user’s seed, and signed requests refer to it; this user has none.',
  fix: 'Create an embedded wallet for the user.',
});

export const walletAccountExists = defineError({
  code: 'wallet_account_exists_for_chain',
  status: 422,
  message: 'The user already has an embedded wallet on this chain.',
  hint: 'Restore the wallet if it is hidden.',
  cause: 'A user can have one embedded wallet on each chain; a hidden one counts.',
  fix: 'Use the existing wallet, or restore it.',
});

export const tooManySessionKeys = defineError({
  code: 'too_many_session_keys',
  status: 422,
  message: 'The user has reached the limit of session keys.',
  hint: 'Wait until one expires, or use one of them.',
  cause: 'A user may have 10 live session keys. Each lives for 15 minutes.',
  fix: 'Register one key for each session, and extend it by registering it again.',
});

export const thresholdWalletOnly = defineError({
  code: 'threshold_wallet_only',
  status: 422,
  message: 'This wallet has no shared key.',
  hint: 'Sign with signWithEmbeddedWallet.',
  cause: 'Ceremonies are for wallets whose key is shared between user and service (versions V3 and V2).',
  fix: 'Use the operations of embedded wallets for this wallet.',
});

export const noV1EmbeddedWallet = defineError({
  code: 'no_v1_embedded_wallet_found',
  status: 422,
  message: 'The user has no embedded wallet on Solana or Sui whose key the service holds.',
  hint: 'Only keys on Solana and Sui can be upgraded. A wallet with a shared key needs no upgrade.',
  cause: 'An upgrade needs a claimed V1 wallet on Solana or Sui that is not hidden, and the user has none.',
  fix: 'Claim or restore the wallet first; for other chains, create a new wallet and send the assets there.',
});

export const seedStillNeeded = defineError({
  code: 'seed_still_needed',
  status: 422,
  message: 'The wallet shares its seed with another wallet that cannot be upgraded. Nothing has changed.',
  hint: 'Empty and delete the wallets of the seed on EVM and Bitcoin, and unclaimed ones; restore hidden ones first.',
  cause:
    'An upgrade destroys the key that the service holds. All wallets of a seed are derived from it, and those that cannot be upgraded would be lost.',
  fix: 'Keep the wallet as it is, or create a new one with a shared key (createWaasAccount) and send the assets there.',
});

export const seedBeingShared = defineError({
  code: 'seed_being_shared',
  status: 409,
  message: 'Wallets of the user’s seed are being upgraded to shared keys. Nothing was created.',
  hint: 'Refresh the shares of those that show shouldRefreshOnNextSignOn, or delete them, and try again.',
  cause:
    'A wallet of the seed has a shared key already, and another one waits for its refresh. The service destroys the seed with the last of them; a wallet made from it now would keep it.',
  fix: 'Let the user complete the upgrade. Wallets created afterwards have a new seed.',
});

export const exportNotReady = defineError({
  code: 'key_export_not_ready',
  status: 422,
  message: 'The private key cannot be fetched yet.',
  hint: 'It can be fetched from payload.availableAt, by the same session, within a day.',
  cause:
    'This deployment delays exports of private keys (`KEY_EXPORT_DELAY_HOURS`), so that a user whose account was taken over is notified first.',
  fix: 'Keep the key pair of the export and the session, and fetch the bundle at that time. Signing out cancels the export.',
});
