import { keySignIn, NETWORK, SITE } from '../../wallet-sign-in.js';
import { newAddress } from '../records.js';
import type { OperationSurface, Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

const IS_READY = `SELECT 1 FROM environment_settings s JOIN origins o USING (environment_id)
  WHERE environment_id = $1 AND o.origin = $2 AND s.settings::jsonb -> 'chains' @> $3::jsonb`;
const CHAINS = [
  { name: 'EVM', enabled: true, networks: [{ networkId: NETWORK, chainName: 'Sepolia', enabled: true }] },
];

/** A message of a new wallet, for a site and a network of the tenant; other operations take them away. */
async function signed({ world, db }: Tenant): Promise<{ body: Record<string, unknown> }> {
  const { rowCount } = await db.query(IS_READY, [world.environmentId, SITE, JSON.stringify(CHAINS)]);
  if (!rowCount) {
    await world.api.post(world.path('/origins'), { origin: SITE });
    await world.owner.put(world.path(''), { chains: CHAINS }, { expect: 200 });
  }
  return { body: await keySignIn(world) };
}

const signIn: OperationSurface = {
  request: signed,
  toldSometimes: { 'user.session.revoked': 'when the user has as many sessions as there may be' },
};

export const surface: Surface = {
  operations: {
    verify: signIn,
    walletsSignin: signIn,
    walletsVerify: { request: signed },
    prefetch: {
      request: () => ({ body: { chain: 'EVM', publicWalletAddress: newAddress() } }),
      untold: 'changes nothing',
    },
  },
};
