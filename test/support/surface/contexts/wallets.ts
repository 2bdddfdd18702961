import { randomBytes } from 'node:crypto';
import { newEmail } from '../../world.js';
import { newAddress } from '../records.js';
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
    deleteWalletById: { unrecorded: OF_A_USER },
  },
};
