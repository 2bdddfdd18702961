import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';

export const tooManyWallets = defineError({
  code: 'too_many_wallets',
  status: 422,
  message: 'The user has as many external wallets as a user may have.',
  hint: 'Delete a wallet of the user first.',
  cause: 'A user may have 100 external wallets.',
  fix: 'Delete wallets that are no longer used.',
});

export const tooManySharedWallets = (): Error =>
  tooManyWallets({ message: 'The user has as many wallets with shared keys as may be.' });

export const linkedEmbeddedWallet = defineError({
  code: 'linked_embedded_wallet',
  status: 422,
  message: 'The user has an embedded wallet already.',
  hint: 'Restore the wallet if it is hidden.',
  cause: 'Embedded wallets are made for users who have none; a hidden one counts.',
  fix: 'Use the wallet that is there, or restore it.',
});

export const conflictingWalletProviders = defineError({
  code: 'conflicting_embedded_wallet_providers',
  status: 422,
  message: 'One request makes embedded wallets of one provider.',
  hint: 'Ask for `platformWaas` alone, or for `keyvault` and `keyvaulthd`.',
  cause: 'The request names providers whose wallets have different versions.',
  fix: 'Choose one of them.',
});

export const walletWithoutPasskey = defineError({
  code: 'wallet_not_support_passkey',
  status: 422,
  message: 'Wallets of this version have no passkey of their own.',
  hint: 'Leave out embeddedWalletSpecificOpts, isAuthenticatorAttached and passkeyAlias.',
  cause: 'The request wants a passkey to guard the keys, which the custodian of the wallet cannot do.',
  fix: 'Make the wallet without a passkey.',
});

export const invalidWalletId = defineError({
  code: 'invalid_wallet_id',
  status: 422,
  message: 'The user has no such wallet.',
  hint: 'Take an id of user.wallets.',
  cause: 'The id is none, or that of a wallet that is hidden, deleted or of somebody else.',
  fix: 'Read the wallets of the user again.',
});

export const walletNotClaimed = defineError({
  code: 'wallet_not_claimed',
  status: 422,
  message: 'The wallet was made ahead, and nobody has claimed it yet.',
  hint: 'Have its user claim it: claimEmbeddedWallet.',
  cause:
    'A server made the wallet for an identifier. Until its user has proven that identifier, its keys are not used.',
  fix: 'Sign in by the identifier that the wallet was made for, and claim it.',
});

export const importedWalletExists = defineError({
  code: 'imported_wallet_exists',
  status: 422,
  message: 'There is an embedded wallet with this address already.',
  hint: 'Restore the wallet if it is hidden.',
  cause: 'An address on a chain belongs to one embedded wallet of an environment; a hidden one counts.',
  fix: 'Use the wallet that is there, or restore it. A wallet that was deleted can be imported again.',
});

export const walletSignsIn = defineError({
  code: 'wallet_signs_in',
  status: 422,
  message: 'Somebody signs in with this address, so it does not become that of an embedded wallet.',
  hint: 'Unlink the wallet first.',
  cause:
    'A user of the environment has proven the wallet, and its key is now to be imported, was split by a device, or is made again of keys that were exported before. Once the service keeps the key, its signature proves nobody any more, and the user would have lost a way in.',
  fix: 'Unlink the wallet (verifyUnlink), which asks for another way to sign in, and try again; or make a wallet with a new key.',
});

export const walletAddressTaken = defineError({
  code: 'wallet_address_taken',
  status: 409,
  message: 'Another user has a wallet with an address that the keys of this user give. Nothing was made.',
  hint: 'payload.chains says on which chains. Leave them out to have the others made.',
  cause:
    'Somebody has imported a private key that was exported from the keys of this user. An address on a chain belongs to one embedded wallet of an environment; a hidden one counts.',
  fix: 'Make wallets on other chains alone, or delete the imported wallet first.',
});

export const signedRequestRefused = defineError({
  code: 'signed_request_refused',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'The signed request is not carried out.',
  hint: 'payload.reason says why. Prepare the request anew, sign it with the key of this session, and send it once.',
  cause:
    'The request was changed, is older than a minute, was carried out before, is not what was prepared, or is signed by a key that the session does not have, or no longer: one that was given at the sign-in is good for a day.',
  fix: 'Register a key for the session (registerSessionKey), prepare the request, stamp its text as it is, and send it at once.',
});

export const noHdWalletFound = defineError({
  code: 'no_hd_wallet_found',
  status: 422,
  message: 'The user has no HD wallet.',
  hint: 'Create an embedded wallet first.',
  cause: 'Accounts are added to the seed of a user, and signed requests name it; this user has none.',
  fix: 'Create an embedded wallet for the user.',
});

export const walletAccountExists = defineError({
  code: 'wallet_account_exists_for_chain',
  status: 422,
  message: 'The user has an embedded wallet on this chain already.',
  hint: 'Restore the wallet if it is hidden.',
  cause: 'A user has one embedded wallet on each chain; a hidden one counts.',
  fix: 'Use the wallet that is there, or restore it.',
});

export const tooManySessionKeys = defineError({
  code: 'too_many_session_keys',
  status: 422,
  message: 'The user has as many session keys as a user may have.',
  hint: 'Wait until one expires, or go on using one of them.',
  cause: 'A user may have 10 live session keys. Each lives for 15 minutes.',
  fix: 'Register one key for each session, and prolong it by registering it again.',
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
  hint: 'Keys of other chains are not moved to shared ones. A wallet with a shared key needs no upgrade.',
  cause:
    'An upgrade is for claimed wallets of version V1 on chains with Ed25519 that are not hidden, of which the user has none.',
  fix: 'Claim or restore the wallet first; for other chains, make a new wallet elsewhere and send the assets there.',
});

export const seedStillNeeded = defineError({
  code: 'seed_still_needed',
  status: 422,
  message: 'The seed of the wallet is that of another wallet as well, which cannot be upgraded. Nothing has changed.',
  hint: 'Delete the wallets of the seed on EVM and Bitcoin, and unclaimed ones, once nothing is left in them; restore hidden ones first.',
  cause:
    'An upgrade destroys the key that the service holds. All wallets of a seed come from it, and those that cannot be upgraded would be lost.',
  fix: 'Keep the wallet as it is, or make a new one with a shared key (createWaasAccount) and send the assets there.',
});

export const exportNotReady = defineError({
  code: 'key_export_not_ready',
  status: 422,
  message: 'The private key cannot be fetched yet.',
  hint: 'payload.availableAt says from when. The same session fetches it then, within a day.',
  cause:
    'Whoever runs this deployment has private keys wait before they leave (KEY_EXPORT_DELAY_HOURS), so that a user whose account somebody else uses hears of it first.',
  fix: 'Keep the key pair of the export and the session, and fetch the bundle at that time. Signing out ends the export.',
});
