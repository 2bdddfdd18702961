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

/** An embedded wallet of the tenant's end user. */
async function ownWallet({ world, db, endUser }: Tenant, state: 'shown' | 'hidden'): Promise<RecordIds> {
  await world.api.post(world.path('/embeddedWallets'), { identifier: endUser.userId, type: 'id', chain: 'EVM' });
  const { rows } = await db.query<{ id: string }>(
    `UPDATE wallets SET deleted_at = CASE WHEN $2 THEN now() END
     WHERE user_id = $1 AND kind = 'embedded' AND chain = 'EVM' RETURNING id`,
    [endUser.userId, state === 'hidden'],
  );
  return { walletId: rows[0]!.id };
}

export const surface: Surface = {
  records: { walletId: { make: makeWallet } },
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
    createWallet: { request: () => ({ body: external() }), unrecorded: OF_A_USER },
    createWalletLegacy: { request: () => ({ body: external() }), unrecorded: OF_A_USER },
    deleteWalletById: { unrecorded: OF_A_USER },
    deleteWalletByIdLegacy: { unrecorded: OF_A_USER },
    getWalletsByEnvironmentId: { request: () => ({ query: 'limit=5&offset=0' }) },
    recoverDeletedWalletsWithEnvironment: {
      request: async (tenant) => {
        await ownWallet(tenant, 'hidden');
        return { body: { userId: tenant.endUser.userId } };
      },
      rulesBeyondTheSchema: /^userId: /,
      unrecorded: OF_A_USER,
    },
    softDeleteEmbeddedWallet: { fittingRecords: (tenant) => ownWallet(tenant, 'shown') },
    restoreEmbeddedWallet: { fittingRecords: (tenant) => ownWallet(tenant, 'hidden') },
  },
};
