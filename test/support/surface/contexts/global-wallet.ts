import { word } from '../records.js';
import type { OperationSurface, Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

const appearance = () => ({ walletName: word(), termsOfServiceUrl: 'https://example.com/terms' });

async function withWallet(tenant: Tenant, isEnabled: boolean): Promise<void> {
  const { world, db, ids } = tenant;
  await world.owner.post(world.path('/globalWallet/settings'), appearance());
  const enabledAt = isEnabled ? 'now()' : 'NULL';
  await db.query(`UPDATE global_wallets SET enabled_at = ${enabledAt} WHERE environment_id = $1`, [
    ids['environmentId'],
  ]);
}

async function withAccessControl({ world, db, ids }: Tenant, isEnabled = false): Promise<void> {
  await world.owner.post(world.path('/globalWallet/accessControl'), { type: 'block' });
  const enabledAt = isEnabled ? 'now()' : 'NULL';
  const turn = `UPDATE global_wallet_access_controls SET type = 'block', enabled_at = ${enabledAt} WHERE environment_id = $1`;
  await db.query(turn, [ids['environmentId']]);
}

async function makeDomain(tenant: Tenant): Promise<string> {
  const { world, db, ids, marker } = tenant;
  await withAccessControl(tenant);
  await db.query('DELETE FROM global_wallet_domains WHERE environment_id = $1 AND domain NOT LIKE $2', [
    ids['environmentId'],
    `%${marker}%`,
  ]);
  const body = { domain: `https://${word()}.${marker}.example.com` };
  const made = await world.owner.post<{ id: string }>(world.path('/globalWallet/accessControl/domains'), body, {
    expect: 201,
  });
  return made.body.id;
}

const without =
  (table: string, body: () => object): NonNullable<OperationSurface['request']> =>
  async ({ db, ids }) => {
    await db.query(`DELETE FROM ${table} WHERE environment_id = $1`, [ids['environmentId']]);
    return { body: body() };
  };

const onWallet =
  (isEnabled: boolean, body?: () => object): NonNullable<OperationSurface['request']> =>
  async (tenant) => {
    await withWallet(tenant, isEnabled);
    return body ? { body: body() } : {};
  };

const onAccessControl =
  (isEnabled: boolean, body?: () => object): NonNullable<OperationSurface['request']> =>
  async (tenant) => {
    await withAccessControl(tenant, isEnabled);
    return body ? { body: body() } : {};
  };

const SITE = 'https://shop.example.com';
const NEVER = '2100-01-01T00:00:00.000Z';

/** For the user whose token is presented; the tenant's end user if the token is of nobody in the tenant. */
async function makeConnection({ db, ids, endUser }: Tenant, userId: string): Promise<string> {
  const made = await db.query<{ id: string }>(
    `INSERT INTO global_wallet_connections (environment_id, id, user_id, app_url, expires_at)
     SELECT environment_id, gen_random_uuid(), id, $3, $4 FROM users
     WHERE environment_id = $1 AND id = ANY($2::uuid[]) ORDER BY id = $5 DESC LIMIT 1 RETURNING id`,
    [ids['environmentId'], [userId, endUser.userId], `https://${word()}.example.com`, NEVER, userId],
  );
  return made.rows[0]!.id;
}

/** Other users of the environment, to whom the connection does not belong. */
const STRANGERS = { 'an end user': [404], 'an end user with the minified token': [404] };

/** Texts that a browser might execute, which no schema can exclude. */
const APPEARANCE_RULES = /^(walletName|popupPageTitle|\w+Url|termsOfServiceAndPrivacyPolicyMarkdown|customMenuLinks)/;

export const surface: Surface = {
  records: {
    globalWalletAccessControlDomainId: { make: makeDomain },
    globalWalletConnectionId: { make: makeConnection, ofPerson: true },
  },
  operations: {
    getGlobalWalletSettings: { request: onWallet(false) },
    getGlobalWalletsSettings: { request: onWallet(true) },
    createGlobalWalletSettings: {
      request: without('global_wallets', appearance),
      rulesBeyondTheSchema: APPEARANCE_RULES,
    },
    updateGlobalWalletSettings: { request: onWallet(false, appearance), rulesBeyondTheSchema: APPEARANCE_RULES },
    enableGlobalWallet: { request: onWallet(false) },
    disableGlobalWallet: { request: onWallet(true) },
    getGlobalWalletAccessControlList: { request: onAccessControl(false) },
    createGlobalWalletAccessControl: {
      request: without('global_wallet_access_controls', () => ({ type: 'block' })),
    },
    updateGlobalWalletAccessControl: { request: onAccessControl(false, () => ({ type: 'allow' })) },
    enableGlobalWalletAccessControl: { request: onAccessControl(false) },
    disableGlobalWalletAccessControl: { request: onAccessControl(true) },
    addGlobalWalletAccessControlDomain: {
      request: onAccessControl(false, () => ({ domain: `https://${word()}.example.com` })),
    },
    deleteGlobalWalletAccessControlDomainById: {
      fittingRecords: async (tenant) => ({
        globalWalletAccessControlDomainId: await tenant.makeRecord('globalWalletAccessControlDomainId'),
      }),
    },
    getGlobalWalletConnections: { request: () => ({ query: 'limit=5&offset=0&status=connected' }) },
    createGlobalWalletConnection: {
      request: async (tenant) => {
        await withWallet(tenant, true);
        await tenant.db.query('UPDATE global_wallet_access_controls SET enabled_at = NULL WHERE environment_id = $1', [
          tenant.ids['environmentId'],
        ]);
        return { body: { expiresAt: NEVER }, headers: { origin: SITE } };
      },
      rulesBeyondTheSchema: /^expiresAt: /,
    },
    disconnectGlobalWalletConnection: {
      callers: STRANGERS,
      fittingRecords: async (tenant) => ({
        globalWalletConnectionId: await tenant.makeRecord('globalWalletConnectionId', tenant.endUser.userId),
      }),
    },
  },
};
