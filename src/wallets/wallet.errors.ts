import { defineError } from '../common/errors/index.js';

export const tooManyWallets = defineError({
  code: 'too_many_wallets',
  status: 422,
  message: 'The user has as many external wallets as a user may have.',
  hint: 'Delete a wallet of the user first.',
  cause: 'A user may have 100 external wallets.',
  fix: 'Delete wallets that are no longer used.',
});

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
