import { defineError } from '../../common/errors/index.js';

export const reassignWalletConfirm = defineError({
  code: 'reassign_wallet_confirm',
  status: 422,
  message: 'This wallet is a credential of another account. It can be moved to this one.',
  hint: 'Ask the person, then call verifyTransfer with the same signed message.',
  cause: 'The message was signed by the wallet, and another user of the environment has proven the wallet before.',
  fix: 'Call verifyTransfer within five minutes, or use another wallet.',
});

export const reassignWalletError = defineError({
  code: 'reassign_wallet_error',
  status: 422,
  message: 'This wallet cannot be moved.',
  hint: 'A wallet that nobody else has proven is linked with verifyLink. From an account with a second step it is unlinked there first.',
  cause:
    'No other user has proven the wallet, or the user who has is protected by a second factor or a step by mail, which the wallet alone does not stand for.',
  fix: 'Call verifyLink, or sign in to the other account and unlink the wallet there.',
});

export const embeddedWalletAddressAlreadyLinked = defineError({
  code: 'embedded_wallet_address_already_linked',
  status: 422,
  message: 'This is the embedded wallet of another account.',
  hint: 'Sign in to the account that the wallet was made for.',
  cause:
    'The address belongs to a wallet whose keys the service keeps for another user. Such a wallet does not change its user.',
  fix: 'Sign in to the account of the wallet, or use another wallet.',
});

export const blockedUserCannotTransferWallet = defineError({
  code: 'blocked_user_cannot_transfer_wallet',
  status: 422,
  message: 'The account that has this wallet is kept out, and so is the wallet.',
  hint: 'Use another wallet.',
  cause: 'A rule of the environment, such as a gate or a screening, refuses the user who has proven the wallet.',
  fix: 'Whoever runs the application can admit the user; then the wallet can be moved.',
});

export const socialAccountAlreadyExists = defineError({
  code: 'social_account_already_exists',
  status: 422,
  message: 'This social account is a proven credential of another user.',
  hint: 'Sign in with it, or use another account.',
  cause:
    'The proof was right, but another user has proven the account before, who is kept out or has a second step, such as a second factor or a device that is confirmed by mail.',
  fix: 'Sign in as the other user and unlink the account there.',
});

export const mergeAccountsConfirmation = defineError({
  code: 'merge_accounts_confirmation',
  status: 422,
  message: 'Another account of this environment has this credential. The two accounts can become one.',
  hint: 'Show `payload.mergeConflicts` to the person. Then call mergeUsers, or verifyMergeUsers with a choice for each conflict.',
  cause:
    'The credential was proven in this session, and another user had proven it before. Nothing was changed: the answer is the preview of a merge.',
  fix: 'Confirm the merge within five minutes, or use another credential.',
});

export const mergeAccountsInvalid = defineError({
  code: 'merge_accounts_invalid',
  status: 422,
  message: 'These accounts cannot become one.',
  hint: 'Prove a credential of the other account in this session, and confirm within five minutes.',
  cause:
    'No credential of another account was proven in this session within five minutes, a conflict has no answer or an answer no conflict, the other account has a second step that the proof does not stand for, or an embedded wallet, or is kept out, or these are accounts of the dashboard.',
  fix: 'The hint of the answer says which it was.',
});

export const invalidUnlinkRequest = defineError({
  code: 'invalid_unlink_request',
  status: 422,
  message: 'The user has no such credential.',
  hint: 'Name one wallet or one credential of the signed-in user.',
  cause: 'The body names nothing, several things, or a credential or wallet that is not the caller’s.',
  fix: 'Read the ids from `verifiedCredentials` of the user, and send one of them.',
});

export const forbiddenUnlinkRequest = defineError({
  code: 'forbidden_unlink_request',
  status: 422,
  message: 'An embedded wallet belongs to its account and cannot be unlinked.',
  hint: 'Hide it with softDeleteEmbeddedWallet.',
  cause: 'The service keeps the keys of the wallet for this user; without its user nobody could use it.',
  fix: 'Hide the wallet instead.',
});

export const lastSignInCredential = defineError({
  code: 'cannot_delete_last_sign_in_verified_credential',
  status: 422,
  message: 'Without this credential there would be no way to sign in.',
  hint: 'Add another credential first.',
  cause: 'It is the only verified credential of the user that a method of sign-in can prove.',
  fix: 'Link an email address, a wallet or a passkey, then remove this one.',
});
