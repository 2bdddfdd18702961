import { defineError } from '../../common/errors/index.js';

export const reassignWalletConfirm = defineError({
  code: 'reassign_wallet_confirm',
  status: 422,
  message: 'This wallet belongs to another account. It can be moved to this one.',
  hint: 'Ask the user, then call verifyTransfer with the same signed message.',
  cause: 'The wallet signed the message, but another user of the environment had already proven the wallet.',
  fix: 'Call verifyTransfer within five minutes, or use another wallet.',
});

export const reassignWalletError = defineError({
  code: 'reassign_wallet_error',
  status: 422,
  message: 'This wallet cannot be moved.',
  hint: 'If nobody else has proven the wallet, link it with verifyLink. If the other account has a second step, unlink the wallet there first.',
  cause:
    'No other user has proven the wallet, or the user who has is protected by a second factor or an email confirmation, which the wallet alone cannot replace.',
  fix: 'Call verifyLink, or sign in to the other account and unlink the wallet there.',
});

export const embeddedWalletAddressAlreadyLinked = defineError({
  code: 'embedded_wallet_address_already_linked',
  status: 422,
  message: 'This is the embedded wallet of another account.',
  hint: 'Sign in to the account that the wallet was created for.',
  cause:
    'The address belongs to a wallet whose keys the service holds for another user. Such a wallet cannot be transferred.',
  fix: 'Sign in to the account of the wallet, or use another wallet.',
});

export const blockedUserCannotTransferWallet = defineError({
  code: 'blocked_user_cannot_transfer_wallet',
  status: 422,
  message: 'The account that owns this wallet is blocked, so the wallet cannot be moved.',
  hint: 'Use another wallet.',
  cause: 'A rule of the environment, such as a gate or screening, refuses the user who has proven the wallet.',
  fix: 'The team that runs the application can admit the user; then the wallet can be moved.',
});

export const socialAccountAlreadyExists = defineError({
  code: 'social_account_already_exists',
  status: 422,
  message: 'This social account belongs to another user.',
  hint: 'Sign in with it, or use another account.',
  cause:
    'The proof was correct, but another user had already proven the account, and that user is blocked or has a second step, such as a second factor or the confirmation of new devices by email.',
  fix: 'Sign in as the other user and unlink the account there.',
});

export const mergeAccountsConfirmation = defineError({
  code: 'merge_accounts_confirmation',
  status: 422,
  message: 'Another account of this environment has this credential. The two accounts can be merged.',
  hint: 'Show `payload.mergeConflicts` to the user. Then call mergeUsers, or verifyMergeUsers with a choice for each conflict.',
  cause:
    'The credential was proven in this session, but another user had already proven it. Nothing was changed: the response is a preview of a merge.',
  fix: 'Confirm the merge within five minutes, or use another credential.',
});

export const mergeAccountsInvalid = defineError({
  code: 'merge_accounts_invalid',
  status: 422,
  message: 'These accounts cannot be merged.',
  hint: 'Prove a credential of the other account in this session, and confirm within five minutes.',
  cause:
    'No credential of another account was proven in this session within five minutes; a conflict has no answer, or an answer no conflict; the other account is blocked, has an embedded wallet, or has a second step that the proof cannot replace; or these are dashboard accounts.',
  fix: 'The hint in the response says which one it was.',
});

export const invalidUnlinkRequest = defineError({
  code: 'invalid_unlink_request',
  status: 422,
  message: 'The user has no such credential.',
  hint: 'Name one wallet or one credential of the signed-in user.',
  cause: 'The body names no credential or wallet, or one that is not the caller’s.',
  fix: 'Read the ids from `verifiedCredentials` of the user, and send one of them.',
});

export const forbiddenUnlinkRequest = defineError({
  code: 'forbidden_unlink_request',
  status: 422,
  message: 'An embedded wallet belongs to its account and cannot be unlinked.',
  hint: 'Hide it with softDeleteEmbeddedWallet.',
  cause: 'The service holds the keys of the wallet for this user; without its user nobody could use it.',
  fix: 'Hide the wallet instead.',
});

export const lastSignInCredential = defineError({
  code: 'cannot_delete_last_sign_in_verified_credential',
  status: 422,
  message: 'Without this credential there would be no way to sign in.',
  hint: 'Add another credential first.',
  cause: 'It is the user’s only verified credential that can be used to sign in.',
  fix: 'Link an email address, a wallet or a passkey, then remove this one.',
});
