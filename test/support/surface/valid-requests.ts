import { randomBytes } from 'node:crypto';
import type { Role } from '../../../src/auth/index.js';
import { sharedIdentityProvider } from '../identity-provider.js';
import { newEmail } from '../world.js';
import { customField, customNetwork } from './request-bodies.js';
import { newAddress, word, type Tenant } from './tenant.js';

export interface RequestParts {
  body?: unknown;
  /** Without the question mark. */
  query?: string;
}

/** The one to keep of tables whose rows a path can name: the scope's column, its id, and the id of the row. */
const KEPT = {
  webhooks: ['environment_id', 'environmentId', 'webhookId'],
  custom_fields: ['environment_id', 'environmentId', 'customFieldId'],
  custom_networks: ['organization_id', 'organizationId', 'networkId'],
  origins: ['environment_id', 'environmentId', 'originId'],
  deeplink_urls: ['environment_id', 'environmentId', 'deeplinkUrlId'],
  invites: ['organization_id', 'organizationId', 'inviteId'],
  custom_hostnames: ['environment_id', 'environmentId', 'customHostnameId'],
} as const;

/** Makes room for another, where there may be only so many. */
async function forget({ db, ids }: Tenant, table: 'api_tokens' | 'personal_tokens' | keyof typeof KEPT): Promise<void> {
  if (table === 'api_tokens' || table === 'personal_tokens') {
    await db.query(`DELETE FROM ${table} WHERE note = 'made'`);
    return;
  }
  const [column, scope, id] = KEPT[table];
  await db.query(`DELETE FROM ${table} WHERE ${column} = $1 AND id <> $2`, [ids[scope], ids[id]]);
}

const wallet = () => ({
  publicWalletAddress: newAddress(),
  chain: 'EVM',
  walletName: 'test',
  walletProvider: 'browserExtension',
});
const newUser = () => ({ email: newEmail(), alias: 'test', wallets: [wallet()] });
const profile = () => ({ alias: word(), firstName: 'Ada', country: 'GB' });
const webhook = (tenant: Tenant) => ({
  url: `https://${tenant.marker}.example.com/${word()}`,
  isEnabled: true,
  events: ['user.created'],
  signatures: ['v1'],
  ordering: 'user',
  headers: [{ name: 'x-key', value: 'value' }],
});

/** Makes room for projects and organizations, of which there may be only so many. */
const forgetProjects = ({ db, ids }: Tenant) =>
  db.query("UPDATE projects SET deleted_at = now() WHERE organization_id = $1 AND name LIKE 'made%'", [
    ids['organizationId'],
  ]);
const leaveOrganizations = ({ db }: Tenant) =>
  db.query(`DELETE FROM members m USING organizations o WHERE o.id = m.organization_id AND o.name LIKE 'made%'`);
/** The tenant's member becomes what a call wants to find. */
const makeMember = ({ db, ids }: Tenant, role: Role) =>
  db.query('UPDATE members SET role = $2 WHERE id = $1', [ids['memberId'], role]);

async function sentCode({ world }: Tenant): Promise<{ verificationUUID: string; verificationToken: string }> {
  const email = newEmail();
  return { verificationUUID: await world.sendCode(email), verificationToken: world.code(email) };
}

/** All sections, as the document asks for; lists as they should be, for they are replaced. */
const settings = () => ({
  chains: [{ name: 'EVM', enabled: true }],
  kyc: [],
  design: {},
  general: { displayName: word() },
  privacy: {},
  sdk: {},
  security: {},
});

/** Makes a test account, or room for one. */
async function testAccount({ db, ids, world }: Tenant, isThere: boolean): Promise<RequestParts> {
  await db.query('DELETE FROM test_accounts WHERE environment_id = $1', [ids['environmentId']]);
  if (isThere) await world.api.post(world.path('/test/account'), undefined, { expect: 201 });
  return {};
}

const ssoProvider = async ({ marker }: Tenant) => ({
  clientId: word(),
  clientSecret: word(),
  ssoDomain: (await sharedIdentityProvider()).issuer,
  emailDomain: `${marker}.example.com`,
  provider: 'okta',
});

/** Ends the replays of the tenant, but for one that is to be under way. */
async function replaysEnded({ db, ids }: Tenant, but: string | null = null): Promise<void> {
  const end = "UPDATE webhook_replays SET state = 'completed', ended_at = now() WHERE environment_id = $1";
  await db.query(end, [ids['environmentId']]);
  const go = "UPDATE webhook_replays SET state = 'running', ended_at = NULL WHERE environment_id = $1 AND id = $2";
  if (but) await db.query(go, [ids['environmentId'], but]);
}

/** Puts the second factors where the call still has something to change. */
const mfaSetTo =
  (enabledAt: 'NULL' | 'now()') =>
  async ({ db, ids }: Tenant): Promise<RequestParts> => {
    await db.query(
      `INSERT INTO organization_mfa_settings (organization_id, id, mfa_device_type, enabled_at)
       VALUES ($1, gen_random_uuid(), 'totp', ${enabledAt})
       ON CONFLICT (organization_id, mfa_device_type) DO UPDATE SET enabled_at = excluded.enabled_at`,
      [ids['organizationId']],
    );
    return {};
  };

/** With the setup in place that the tenant's path names, which creations and deletions may have taken away. */
const ssoSetUp = (make: (tenant: Tenant) => RequestParts | Promise<RequestParts>) => async (tenant: Tenant) => {
  await tenant.makeSsoProvider(tenant.ids['ssoProviderId']);
  return make(tenant);
};

/** For every operation that takes a body or a query: a request that succeeds, and succeeds again when made again. */
export const VALID_REQUESTS: Record<string, (tenant: Tenant) => RequestParts | Promise<RequestParts>> = {
  createEmbeddedWallet: () => ({ body: { identifier: newEmail(), type: 'email', chains: ['EVM'] } }),
  createEmbeddedWalletFromFrameapp: () => ({
    body: { email: newEmail(), fid: randomBytes(4).readUInt32BE(), chains: ['EVM'] },
  }),
  getEvents: () => ({ query: 'resourceType=user&startDate=2026-01-01' }),
  postToken: async (tenant) => {
    await forget(tenant, 'api_tokens');
    return { body: { note: 'made', scopes: ['environment.apiTokens.write'] } };
  },
  getEnvironmentUsers: () => ({ query: 'filter[filterColumn]=email&filter[filterValue]=example&limit=5&offset=0' }),
  createUser: () => ({ body: newUser() }),
  bulkCreateUser: () => ({ body: [newUser(), newUser()], query: 'upsert=false' }),
  updateUser: () => ({ body: profile() }),
  updateUserLegacy: () => ({ body: profile() }),
  createWebhook: async (tenant) => {
    await forget(tenant, 'webhooks');
    return { body: webhook(tenant) };
  },
  getWebhook: () => ({ query: 'includeSecret=false' }),
  updateWebhookById: (tenant) => ({ body: webhook(tenant) }),
  rotateWebhookSecret: () => ({ body: { overlapHours: 0 } }),
  getWebhookMessages: () => ({ query: '' }),
  getWebhookMessageDeliveries: () => ({ query: '' }),
  createWebhookReplay: async (tenant) => {
    await replaysEnded(tenant);
    return { body: { messages: 'failed', startDate: '2026-01-01', endDate: '2026-12-31T12:00:00Z' } };
  },
  getWebhookReplays: () => ({ query: '' }),
  cancelWebhookReplay: async (tenant) => {
    await replaysEnded(tenant, tenant.ids['replayId']);
    return {};
  },
  getAuditRecords: ({ ids }) => ({ query: `limit=5&environmentId=${ids['environmentId']}` }),
  createCustomFieldForEnvironment: async (tenant) => {
    await forget(tenant, 'custom_fields');
    return { body: customField(word()) };
  },
  updateCustomFieldById: () => ({ body: customField(word()) }),
  createCustomNetwork: async (tenant) => {
    await forget(tenant, 'custom_networks');
    return { body: customNetwork(tenant.marker) };
  },
  updateCustomNetwork: (tenant) => ({ body: customNetwork(tenant.marker) }),
  createOrganization: async (tenant) => {
    await leaveOrganizations(tenant);
    return { body: { name: `made ${word()}`, websiteUrl: 'https://example.com', implementationTimeline: 'yesterday' } };
  },
  updateOrganizationById: () => ({ body: { name: word(), description: 'about', websiteUrl: 'https://example.com' } }),
  updateOrganizationAddressById: () => ({ body: { addressLine1: 'Main Street 1', city: 'Zug', country: 'CH' } }),
  createProject: async (tenant) => {
    await forgetProjects(tenant);
    return { body: { name: `made ${word()}` } };
  },
  updateMemberRole: async (tenant) => {
    await makeMember(tenant, 'viewer');
    return { body: { role: 'developer' } };
  },
  delegateOwnership: async (tenant) => {
    await makeMember(tenant, 'owner');
    return { body: { adminMemberIdToDelegate: (await tenant.addMember('admin')).id } };
  },
  applyCouponForSubscription: async ({ db, marker }) => {
    const code = marker.toUpperCase();
    await db.query('INSERT INTO billing_coupons (code, trial_days) VALUES ($1, 7) ON CONFLICT DO NOTHING', [code]);
    return { body: { coupon: marker } };
  },
  createInvite: async (tenant) => {
    await forget(tenant, 'invites');
    return { body: { email: newEmail(), alias: 'made', role: 'viewer' } };
  },
  getInvites: () => ({ query: 'status=pending' }),
  updateInvite: () => ({ body: { status: 'accepted' } }),
  enableMfaDeviceForOrganization: mfaSetTo('NULL'),
  disableMfaDeviceForOrganization: mfaSetTo('now()'),
  getSsoProviderForOrganization: ssoSetUp(() => ({})),
  createSsoProvider: async (tenant) => {
    await tenant.db.query('DELETE FROM sso_providers WHERE organization_id = $1', [tenant.ids['organizationId']]);
    return { body: await ssoProvider(tenant) };
  },
  updateSsoProvider: ssoSetUp(async (tenant) => ({ body: { ...(await ssoProvider(tenant)), enforceOnlySSO: false } })),
  addOrigin: async (tenant) => {
    await forget(tenant, 'origins');
    return { body: { origin: `https://${word()}.example.com` } };
  },
  addDeeplinkUrl: async (tenant) => {
    await forget(tenant, 'deeplink_urls');
    return { body: { url: `myapp://callback/${word()}` } };
  },
  createCustomHostname: async (tenant) => {
    await forget(tenant, 'custom_hostnames');
    return { body: { hostname: `${word()}.example.com`, usage: 'globalWallet' } };
  },
  updateProject: () => ({ body: { name: word() } }),
  createVisit: () => ({
    body: { address: newAddress(), chain: 'EVM', provider: 'browserExtension', walletName: 'test' },
  }),
  createEmailVerification: () => ({ body: { email: newEmail() } }),
  retryEmailVerification: async ({ world }) => {
    const email = newEmail();
    return { body: { email, verificationUUID: await world.sendCode(email) } };
  },
  signInWithEmailVerification: async (tenant) => ({ body: await sentCode(tenant) }),
  verifyEmailVerification: async (tenant) => ({ body: await sentCode(tenant) }),
  updateProjectSettings: () => ({ body: settings() }),
  updateSdkView: () => ({ body: { sections: [{ type: 'email' }, { type: 'text', label: word() }] } }),
  createTestAccount: (tenant) => testAccount(tenant, false),
  getTestAccount: (tenant) => testAccount(tenant, true),
  deleteTestAccount: (tenant) => testAccount(tenant, true),
  checkExternalJwt: () => ({ body: { encodedJwt: 'e30.e30.e30' } }),
  logSdkSettings: () => ({ body: { frameworkSettings: { react: { version: '19.0.0' } } } }),
  getEnvironmentSettings: () => ({ query: 'sdkVersion=1.0.0' }),
  checkStepUp: () => ({ body: { scope: 'wallet:export' } }),
  updateSelf: () => ({ body: profile() }),
  getUserFieldsCheck: () => ({ query: `filter[field]=username&filter[value]=${word()}` }),
  createUserApiToken: async (tenant) => {
    await forget(tenant, 'personal_tokens');
    return { body: { note: 'made' } };
  },
};
