import { createHash, randomUUID } from 'node:crypto';
import { OpenPayouts } from '../../../../src/funding/transfers/open-payouts.job.js';
import { idOfName } from '../../../../src/common/ids.js';
import { addOauthAccount } from '../../oauth-account.js';
import { RAMP_KEYS } from '../../money-vendors.js';
import { newAddress } from '../records.js';
import type { RequestParts, Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

const SOCIAL = {
  clientId: 'client',
  clientSecret: 'secret-of-the-client',
  scopes: 'wallet:user:read wallet:accounts:read wallet:transactions:read wallet:transactions:send',
};
const WHERE = 'walletAddress=0x52908400098527886E0F7030069857D2E4169EE7&chain=EVM&networkId=1';

/** An enabled provider, created once per tenant. */
async function provider(tenant: Tenant, name: string, body: object): Promise<void> {
  const { world, db, ids } = tenant;
  const known = await db.query(
    'SELECT 1 FROM providers WHERE environment_id = $1 AND provider = $2 AND enabled_at IS NOT NULL',
    [ids['environmentId'], name],
  );
  if (known.rowCount) return;
  const path = world.path(`/settings/providers/type/${name}`);
  const { id } = (await world.owner.post<{ id: string }>(path, body, { expect: 201 })).body;
  await world.owner.put(`/settings/providers/${id}/enable`, undefined, { expect: 200 });
}

/**
 * Ensures an enabled exchange, whatever earlier calls did to it: there is one of each kind, so it is always the same.
 */
async function exchangeOn(tenant: Tenant, isOn = true): Promise<string> {
  await provider(tenant, 'coinbasesocial', SOCIAL);
  const { environmentId } = tenant.ids;
  const id = idOfName(`exchange of ${environmentId}`);
  await tenant.db.query(
    `INSERT INTO exchanges (environment_id, id, exchange, social_provider, enabled_at)
     VALUES ($1, $2, 'coinbase', 'coinbasesocial', CASE WHEN $3 THEN now() END)
     ON CONFLICT (environment_id, exchange) DO UPDATE SET enabled_at = excluded.enabled_at, id = excluded.id`,
    [environmentId, id, isOn],
  );
  return id;
}

const whileItIs =
  (isOn: boolean) =>
  async (tenant: Tenant): Promise<RequestParts> => {
    await exchangeOn(tenant, isOn);
    return {};
  };

const subjectOf = (token: string | null, tenant: Tenant): string => {
  const claims = token?.split('.')[1];
  if (!claims) return tenant.endUser.userId;
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub?: string }).sub ?? tenant.endUser.userId;
};

const accessTokenOf = (userId: string): string => createHash('sha256').update(userId).digest('hex');
const accountOf = (userId: string): string => idOfName(`coinbase account ${accessTokenOf(userId)}`);

/** Links an exchange account to a user, once. */
async function linked(tenant: Tenant, userId: string): Promise<void> {
  const { rowCount } = await tenant.db.query(
    "SELECT 1 FROM oauth_tokens WHERE user_id = $1 AND provider = 'coinbasesocial'",
    [userId],
  );
  const { rows } = await tenant.db.query<{ environment_id: string }>('SELECT environment_id FROM users WHERE id = $1', [
    userId,
  ]);
  if (!rowCount && rows[0]?.environment_id === tenant.world.environmentId)
    await addOauthAccount(tenant.world, userId, 'coinbasesocial', accessTokenOf(userId));
}

const atExchange =
  (parts: () => RequestParts) =>
  async (tenant: Tenant, token: string | null): Promise<RequestParts> => {
    await exchangeOn(tenant);
    await linked(tenant, subjectOf(token, tenant));
    return parts();
  };

const ramp =
  (name: keyof typeof RAMP_KEYS, parts: RequestParts) =>
  async (tenant: Tenant): Promise<RequestParts> => {
    await provider(tenant, name, RAMP_KEYS[name]);
    return parts;
  };

/** A recently verified phone number, for guest checkout. */
async function reachable(tenant: Tenant, userId: string): Promise<void> {
  await tenant.db.query(
    `INSERT INTO credentials (environment_id, id, user_id, format, phone_number, phone_country_code, iso_country_code, verified_at)
     SELECT environment_id, $2, id, 'phoneNumber', '5550100', '1', 'US', now() FROM users u WHERE id = $1 AND NOT EXISTS (
       SELECT 1 FROM credentials c WHERE c.user_id = u.id AND c.format = 'phoneNumber')`,
    [userId, randomUUID()],
  );
}

const ORDER = {
  agreementAcceptedAt: '2026-11-20T12:00:00.000Z',
  destinationAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
  destinationNetwork: 'base',
  partnerUserRef: 'sandbox-user-1',
  paymentAmount: '100.00',
  paymentCurrency: 'USD',
  paymentMethod: 'GUEST_CHECKOUT_APPLE_PAY',
  purchaseCurrency: 'USDC',
};
const AT_VENDOR = 'is made at the vendor, and changes nothing here';
const notTheirs = { 'an end user': [404], 'an end user with the minified token': [404] };

export const surface: Surface = {
  records: {
    exchangeId: { make: (tenant) => exchangeOn(tenant) },
    exchangeAccountId: {
      ofPerson: true,
      make: async (tenant, userId) => {
        await linked(tenant, userId);
        return accountOf(userId);
      },
    },
  },
  kinds: { exchangeKey: 'coinbase' },
  operations: {
    createExchange: {
      request: async ({ db, ids }) => {
        await db.query("DELETE FROM exchanges WHERE environment_id = $1 AND exchange = 'kraken'", [
          ids['environmentId'],
        ]);
        return { body: { exchange: 'kraken' } };
      },
      rulesBeyondTheSchema: /^(exchange|socialProvider|onRampProvider): /,
    },
    getExchange: { request: whileItIs(true) },
    deleteExchange: { request: whileItIs(true) },
    enableExchange: { request: whileItIs(false) },
    disableExchange: { request: whileItIs(true) },
    getSupportedOnramps: { request: ramp('coinbaseOnramp', { query: WHERE }) },
    getSupportedOfframps: { request: ramp('coinbaseOnramp', { query: WHERE }) },
    getCoinbaseSupportedNetworks: { request: ramp('coinbaseOnramp', {}) },
    generateCoinbaseOnrampBuyUrl: {
      request: ramp('coinbaseOnramp', { body: { destinationAddress: ORDER.destinationAddress, networks: ['base'] } }),
      rulesBeyondTheSchema: /^redirectUrl: /,
      untold: AT_VENDOR,
    },
    createCoinbaseOnrampOrder: {
      request: async (tenant, token) => {
        await reachable(tenant, subjectOf(token, tenant));
        return ramp('coinbaseOnramp', { body: ORDER })(tenant);
      },
      rulesBeyondTheSchema: /^(paymentAmount|purchaseAmount): /,
      untold: AT_VENDOR,
    },
    createCryptoDotComPayment: {
      request: ramp('cryptoDotCom', {
        body: { amount: 2500, currency: 'USD', walletAddress: ORDER.destinationAddress, chain: 'EVM' },
      }),
      rulesBeyondTheSchema: /^amount: /,
      untold: AT_VENDOR,
    },
    getUserAccounts: { request: atExchange(() => ({})), rulesBeyondTheSchema: /^(networkId|chainName): / },
    getExchangeTransactions: { request: atExchange(() => ({})), rulesBeyondTheSchema: /^accountId: / },
    getExchangeTransferDestinations: { request: atExchange(() => ({})) },
    postExchangeAccountTransfer: {
      paths: { accountId: 'exchangeAccountId' },
      request: atExchange(() => ({ body: { to: newAddress(), amount: 0.25, currency: 'ETH' } })),
      fittingRecords: async (tenant) => {
        await linked(tenant, tenant.endUser.userId);
        return { exchangeAccountId: accountOf(tenant.endUser.userId) };
      },
      callers: notTheirs,
      rulesBeyondTheSchema: /^(amount|currency|network|networkObject|id): /,
    },
  },
  scenarios: { 'finding out what became of payouts': (tenant) => tenant.world.test.app.get(OpenPayouts).run() },
};
