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

/** Texts that a browser might execute; no schema can say which. */
const APPEARANCE_RULES = /^(walletName|popupPageTitle|\w+Url|termsOfServiceAndPrivacyPolicyMarkdown|customMenuLinks)/;

export const surface: Surface = {
  records: { globalWalletAccessControlDomainId: { make: makeDomain } },
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
  },
};
