import { randomBytes } from 'node:crypto';
import { newEmail } from '../../world.js';
import { newAddress, type RecordIds } from '../records.js';
import type { Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';
import { OF_A_USER } from './identity.js';

async function makeWallet({ world, marker }: Tenant): Promise<string> {
  const wallet = { chain: 'EVM', walletName: marker, walletProvider: 'browserExtension' };
  const { body } = await world.api.post<{ user: { wallets: { id: string }[] } }>(
    world.path('/users'),
    { email: `${marker}-${newEmail()}`, wallets: [{ ...wallet, publicWalletAddress: newAddress() }] },
    { expect: 201 },
  );
  return body.user.wallets[0]!.id;
}

const external = () => ({
  publicWalletAddress: newAddress(),
  chain: 'EVM',
  walletName: 'test',
  walletProvider: 'browserExtension',
});

/** An embedded wallet of a user of the tenant; of its end user when the person is none of its users. */
async function makeOwnWallet({ world, db, endUser }: Tenant, userId: string): Promise<string> {
  const prepare = (identifier: string) =>
    world.api.post<{ user?: { id: string } }>(world.path('/embeddedWallets'), { identifier, type: 'id', chain: 'EVM' });
  const { body } = await prepare(userId);
  const owner = body.user ? userId : endUser.userId;
  if (!body.user) await prepare(owner);
  const shown = `UPDATE wallets SET deleted_at = NULL
    WHERE user_id = $1 AND kind = 'embedded' AND chain = 'EVM' RETURNING id`;
  return (await db.query<{ id: string }>(shown, [owner])).rows[0]!.id;
}

/** The embedded wallet of the tenant's end user. */
async function ownWallet(tenant: Tenant, state: 'shown' | 'hidden'): Promise<RecordIds> {
  const ownWalletId = await makeOwnWallet(tenant, tenant.endUser.userId);
  if (state === 'hidden') await tenant.db.query('UPDATE wallets SET deleted_at = now() WHERE id = $1', [ownWalletId]);
  return { ownWalletId };
}

/** Other users of the environment, to whom the wallet does not belong. */
const strangers = (status: number) => ({
  'an end user': [status],
  'an end user with the minified token': [status],
});

export const surface: Surface = {
  records: { walletId: { make: makeWallet }, ownWalletId: { make: makeOwnWallet, ofPerson: true } },
  operations: {
    createEmbeddedWallet: {
      request: () => ({ body: { identifier: newEmail(), type: 'email', chains: ['EVM'] } }),
      rulesBeyondTheSchema: /^(identifier|type): /,
      unrecorded: OF_A_USER,
    },
    createEmbeddedWalletFromFrameapp: {
      request: () => ({ body: { email: newEmail(), fid: randomBytes(4).readUInt32BE(), chains: ['EVM'] } }),
      rulesBeyondTheSchema: /^fid: /,
      unrecorded: OF_A_USER,
    },
    createWallet: { request: () => ({ body: external() }) },
    createWalletLegacy: { request: () => ({ body: external() }) },
    getWalletsByEnvironmentId: { request: () => ({ query: 'limit=5&offset=0' }) },
    recoverDeletedWalletsWithEnvironment: {
      request: async (tenant) => {
        await ownWallet(tenant, 'hidden');
        return { body: { userId: tenant.endUser.userId } };
      },
      rulesBeyondTheSchema: /^(userId|body): /,
      unrecorded: OF_A_USER,
    },
    createEmbeddedWallets: {
      request: async ({ db, endUser }) => {
        await db.query("DELETE FROM wallets WHERE user_id = $1 AND kind = 'embedded'", [endUser.userId]);
        return { body: { embeddedWallets: [{ embeddedWalletProvider: 'keyvaulthd', chain: 'EVM' }] } };
      },
      rulesBeyondTheSchema: /^embeddedWallets/,
    },
    selectUserWallet: {
      callers: strangers(422),
      request: async (tenant) => ({ body: { walletId: (await ownWallet(tenant, 'shown'))['ownWalletId'] } }),
    },
    softDeleteEmbeddedWallet: {
      callers: strangers(404),
      paths: { walletId: 'ownWalletId' },
      fittingRecords: (tenant) => ownWallet(tenant, 'shown'),
    },
    restoreEmbeddedWallet: {
      callers: strangers(404),
      paths: { walletId: 'ownWalletId' },
      fittingRecords: (tenant) => ownWallet(tenant, 'hidden'),
    },
  },
};
