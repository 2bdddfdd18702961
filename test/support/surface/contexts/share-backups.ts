import { addOauthAccount } from '../../oauth-account.js';
import type { OperationSurface, Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';
import { fittingWallet, sharedWallet, strangers } from './shared-wallets.js';

const BACKUP = { encryptedAccountCredentials: ['what a device has encrypted'], passwordEncrypted: true };

/** The wallet with a copy kept by the service, which may be handed out. */
async function backedUp(tenant: Tenant): Promise<string> {
  const { world, db, endUser } = tenant;
  const { walletId } = await sharedWallet(tenant);
  const path = world.sdk(`/waas/${walletId}/keyShares/backup`);
  await world.anonymous.post(path, BACKUP, { token: endUser.jwt, expect: 201 });
  await db.query('DELETE FROM key_share_recoveries WHERE wallet_id = $1', [walletId]);
  return walletId;
}

/** The wallet without a record of any copy: recording the same again publishes nothing. */
async function unrecorded(tenant: Tenant): Promise<void> {
  const { walletId } = await sharedWallet(tenant);
  await tenant.db.query('DELETE FROM key_share_backups WHERE wallet_id = $1', [walletId]);
}

const connected = new WeakSet<Tenant>();

/** The end user's drive, created once. */
async function connectDrive(tenant: Tenant): Promise<void> {
  if (connected.has(tenant)) return;
  connected.add(tenant);
  await addOauthAccount(tenant.world, tenant.endUser.userId, 'google');
}

const ofWallet: OperationSurface = {
  callers: strangers,
  paths: { walletId: 'sharedWalletId' },
  fittingRecords: fittingWallet,
};

const ofCopy: OperationSurface = {
  ...ofWallet,
  fittingRecords: async (tenant) => ({ sharedWalletId: await backedUp(tenant) }),
};

const RULES = /^(location|locations(\.\d+\.\w+)?|encryptedAccountCredentials(\.\d+)?): /;

export const surface: Surface = {
  operations: {
    backupKeyShares: {
      ...ofWallet,
      request: async (tenant) => {
        await unrecorded(tenant);
        return { body: BACKUP };
      },
      rulesBeyondTheSchema: RULES,
    },
    backupKeySharesToLocation: {
      ...ofWallet,
      request: async (tenant) => {
        await unrecorded(tenant);
        return { body: { location: 'icloud' } };
      },
      rulesBeyondTheSchema: RULES,
    },
    backupKeySharesToLocations: {
      ...ofWallet,
      request: async (tenant) => {
        await unrecorded(tenant);
        return { body: { locations: [{ location: 'icloud' }] } };
      },
      rulesBeyondTheSchema: RULES,
    },
    recoverKeyShares: {
      ...ofCopy,
      request: async (tenant) => {
        await backedUp(tenant);
        return { body: {} };
      },
    },
    backupKeySharesToGoogleDrive: {
      ...ofCopy,
      request: async (tenant) => {
        await backedUp(tenant);
        await connectDrive(tenant);
        return {};
      },
    },
    backupKeySharesToLocationsForPregen: {
      paths: { walletId: 'sharedWalletId' },
      fittingRecords: fittingWallet,
      request: async (tenant) => {
        await unrecorded(tenant);
        return { body: { userId: tenant.endUser.userId, locations: [{ location: 'icloud' }] } };
      },
      rulesBeyondTheSchema: RULES,
    },
  },
};
