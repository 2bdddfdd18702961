import type { Role } from './roles.js';

/**
 * The least role of a member for each dashboard operation, by its id: what the guard obeys, the document shows and the
 * tests expect. Viewers read what is no secret. Developers change how an environment works, its users and its tokens.
 * Admins manage projects, members below owner, invites, single sign-on and the record of the organization. Owners may
 * do everything; billing, handing over ownership and the second factors of the organization are theirs alone.
 *
 * A new operation is a new row here, beside its own kind, and nothing else.
 */
export const ROLE_MATRIX: Readonly<Record<string, Role>> = {
  // Organizations
  getOrganizationsForMember: 'viewer',
  getOrganizationById: 'viewer',
  createOrganization: 'viewer',
  updateOrganizationById: 'admin',
  updateOrganizationAddressById: 'admin',

  // Members
  getOrganizationMembers: 'viewer',
  membershipEnvironmentIdsGet: 'viewer',
  updateMemberRole: 'admin',
  deleteMemberById: 'admin',
  delegateOwnership: 'owner',

  // Billing
  getBillingSubscriptionByOrganization: 'owner',
  applyCouponForSubscription: 'owner',
  upgradeSubscriptionForOrganization: 'owner',

  // Audit trail
  getAuditRecords: 'admin',

  // Projects
  getProjects: 'viewer',
  getProjectById: 'viewer',
  createProject: 'admin',
  updateProject: 'admin',
  deleteProjectById: 'admin',

  // Invites: of the organization, and a person's own
  createInvite: 'admin',
  getOrganizationInvitesByOrganizationId: 'admin',
  deleteInvite: 'admin',
  getInvites: 'viewer',
  updateInvite: 'viewer',

  // Second factors and single sign-on of the organization
  getOrganizationMfaSettings: 'viewer',
  enableMfaDeviceForOrganization: 'owner',
  disableMfaDeviceForOrganization: 'owner',
  getSsoProviderForOrganization: 'admin',
  createSsoProvider: 'admin',
  updateSsoProvider: 'admin',
  deleteSsoProvider: 'admin',

  // API tokens of an environment
  getTokens: 'developer',
  postToken: 'developer',
  deleteTokenById: 'developer',

  // A member's own personal tokens: everyone has some
  getUserApiTokens: 'viewer',
  createUserApiToken: 'viewer',
  deleteUserApiToken: 'viewer',

  // Environments
  getEnvironmentsByProjectId: 'viewer',
  getEnvironmentById: 'viewer',
  updateProjectSettings: 'developer',
  getKeysForEnvironment: 'viewer',
  getSdkViews: 'viewer',
  getSdkView: 'viewer',
  updateSdkView: 'developer',
  checkExternalJwt: 'developer',
  getTestAccount: 'developer',
  createTestAccount: 'developer',
  deleteTestAccount: 'developer',

  // Custom fields
  getCustomFieldsForEnvironment: 'viewer',
  getCustomFieldById: 'viewer',
  createCustomFieldForEnvironment: 'developer',
  updateCustomFieldById: 'developer',
  deleteCustomFieldById: 'developer',

  // Custom networks
  getCustomNetworks: 'viewer',
  getCustomNetwork: 'viewer',
  createCustomNetwork: 'developer',
  updateCustomNetwork: 'developer',
  deleteCustomNetwork: 'developer',

  // Origins, deeplinks and host names of an environment
  getOrigins: 'viewer',
  addOrigin: 'developer',
  deleteOriginById: 'developer',
  getDeeplinkUrls: 'viewer',
  addDeeplinkUrl: 'developer',
  deleteDeeplinkUrlById: 'developer',
  getCustomHostnames: 'viewer',
  createCustomHostname: 'developer',
  deleteCustomHostname: 'developer',

  // Users and their sessions
  getEnvironmentUsers: 'viewer',
  getUser: 'viewer',
  getUserLegacy: 'viewer',
  createUser: 'developer',
  bulkCreateUser: 'developer',
  updateUser: 'developer',
  updateUserLegacy: 'developer',
  deleteUser: 'developer',
  deleteUserLegacy: 'developer',
  revokeUserSessions: 'developer',
  revokeUserSessionsLegacy: 'developer',

  // Wallets
  getWalletById: 'viewer',
  getWalletsByUserId: 'viewer',
  createEmbeddedWallet: 'developer',
  createEmbeddedWalletFromFrameapp: 'developer',
  deleteWalletById: 'developer',

  // Webhooks
  getWebhooks: 'viewer',
  getWebhook: 'viewer',
  getWebhookMessages: 'viewer',
  getWebhookMessageDeliveries: 'viewer',
  createWebhook: 'developer',
  updateWebhookById: 'developer',
  deleteWebhookById: 'developer',
  redeliverWebhookMessage: 'developer',
  createWebhookReplay: 'developer',
  getWebhookReplays: 'viewer',
  getWebhookReplay: 'viewer',
  cancelWebhookReplay: 'developer',
  rotateWebhookSecret: 'developer',

  // Events
  getEvents: 'viewer',
  getEventById: 'viewer',
  getEventTypes: 'viewer',
};
