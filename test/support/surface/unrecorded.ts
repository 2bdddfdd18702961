const USERS = 'tells in its events what became of a user of the application, which is no configuration';
const OWN = 'belongs to the person and to no organization; told in the console environment';

/** Operations of the dashboard that change something and leave no audit record, and why. */
export const UNRECORDED: Record<string, string> = {
  createUser: USERS,
  bulkCreateUser: USERS,
  updateUser: USERS,
  updateUserLegacy: USERS,
  deleteUser: USERS,
  deleteUserLegacy: USERS,
  revokeUserSessions: USERS,
  revokeUserSessionsLegacy: USERS,
  createEmbeddedWallet: USERS,
  createEmbeddedWalletFromFrameapp: USERS,
  createWallet: USERS,
  createWalletLegacy: USERS,
  deleteWalletById: USERS,
  deleteWalletByIdLegacy: USERS,
  redeliverWebhookMessage: 'sends a message again and changes nothing',
  checkExternalJwt: 'only says whether a token would be taken',
  createUserApiToken: OWN,
  deleteUserApiToken: OWN,
};
