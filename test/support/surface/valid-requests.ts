import { randomBytes } from 'node:crypto';
import { newEmail } from '../world.js';
import { newAddress, type Tenant } from './tenant.js';

export interface RequestParts {
  body?: unknown;
  /** Without the question mark. */
  query?: string;
}

/** Makes room for another, where there may be only so many. */
async function forget({ db, ids }: Tenant, table: 'api_tokens' | 'personal_tokens' | 'webhooks'): Promise<void> {
  if (table === 'webhooks') {
    const own = [ids['environmentId'], ids['webhookId']];
    await db.query('DELETE FROM webhooks WHERE environment_id = $1 AND id <> $2', own);
  } else await db.query(`DELETE FROM ${table} WHERE note = 'made'`);
}

const word = (): string => `w${randomBytes(8).toString('hex')}`;
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
});

async function sentCode({ world }: Tenant): Promise<{ verificationUUID: string; verificationToken: string }> {
  const email = newEmail();
  return { verificationUUID: await world.sendCode(email), verificationToken: world.code(email) };
}

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
  getWebhookMessages: () => ({ query: '' }),
  getAuditRecords: ({ ids }) => ({ query: `limit=5&environmentId=${ids['environmentId']}` }),
  applyCouponForSubscription: async ({ db, marker }) => {
    const code = marker.toUpperCase();
    await db.query('INSERT INTO billing_coupons (code, trial_days) VALUES ($1, 7) ON CONFLICT DO NOTHING', [code]);
    return { body: { coupon: marker } };
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
  getEnvironmentSettings: () => ({ query: 'sdkVersion=1.0.0' }),
  updateSelf: () => ({ body: profile() }),
  getUserFieldsCheck: () => ({ query: `filter[field]=username&filter[value]=${word()}` }),
  createUserApiToken: async (tenant) => {
    await forget(tenant, 'personal_tokens');
    return { body: { note: 'made' } };
  },
};
