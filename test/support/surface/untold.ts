const PROBE = 'a code is on its way and nothing is proven; told when it is used';
const SEEN = 'counts what a page has seen, which is no state of the environment';

/** Operations that change something, or look as if they did, and tell no event; and why. */
export const UNTOLD: Record<string, string> = {
  checkExternalJwt: 'only says whether a token would be taken',
  redeliverWebhookMessage: 'sends a message again and changes nothing',
  createEmailVerification: PROBE,
  retryEmailVerification: PROBE,
  createVisit: SEEN,
  logSdkSettings: SEEN,
  refreshAuth: 'goes on with a session that was told when it began; a token that is used twice is told',
};

/** The same of the commands of an operator. */
export const UNTOLD_COMMANDS: Record<string, string> = {
  'keys generate': 'prints a key and stores nothing',
  'keys status': 'only counts',
  'keys rotate': 'seals what is stored under another master key; nobody outside can tell the difference',
  'audit verify': 'only reads',
  listen: 'only reads',
  trigger: 'sends what has not happened, and stores nothing',
  'billing coupon create': 'a coupon belongs to the operator until somebody redeems it, which is told',
};

/** Events that an operation documents and the usual call of it does not tell: when it does. */
export const TOLD_SOMETIMES: Record<string, string> = {
  'bulkCreateUser user.updated': 'with `upsert`, for users who exist',
  'createWebhookReplay webhook.replay.ended': 'by the job, when it is done',
  'updateInvite invite.rejected': 'when it is rejected',
  'createInvite invite.deleted': 'when it takes the place of an older one to the same address',
  'signInWithEmailVerification user.session.revoked': 'when the user has as many sessions as there may be',
  'refreshAuth user.session.revoked': 'when a refresh token is used twice',
};
