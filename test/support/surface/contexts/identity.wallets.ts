import { keySignIn, NETWORK, newKey, SITE } from '../../wallet-sign-in.js';
import { newAddress } from '../records.js';
import { SIGNED_OUT } from './identity.js';
import type { OperationSurface, Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

const IS_READY = `SELECT 1 FROM environment_settings s JOIN origins o USING (environment_id)
  WHERE environment_id = $1 AND o.origin = $2 AND s.settings::jsonb -> 'chains' @> $3::jsonb`;
const CHAINS = [
  { name: 'EVM', enabled: true, networks: [{ networkId: NETWORK, chainName: 'Sepolia', enabled: true }] },
];

/** A message of a new wallet, for a site and a network of the tenant, which other operations may remove. */
export async function signed({ world, db }: Tenant): Promise<{ body: Record<string, unknown> }> {
  const { rowCount } = await db.query(IS_READY, [world.environmentId, SITE, JSON.stringify(CHAINS)]);
  if (!rowCount) {
    await world.api.post(world.path('/origins'), { origin: SITE });
    await world.owner.put(world.path(''), { chains: CHAINS }, { expect: 200 });
  }
  return { body: await keySignIn(world) };
}

/** A message of a wallet that is another user's only sign-in credential. */
async function signedByAnother(tenant: Tenant): Promise<{ body: Record<string, unknown> }> {
  const key = newKey();
  await signed(tenant);
  const { world } = tenant;
  await world.anonymous.post(world.sdk('/verify'), await keySignIn(world, key), { expect: 200 });
  return { body: { ...(await keySignIn(world, key)), skipEmptyAccountCheck: true } };
}

const signIn: OperationSurface = {
  request: signed,
  toldSometimes: { 'user.session.revoked': 'when the user has as many sessions as there may be' },
};

export const surface: Surface = {
  operations: {
    verify: signIn,
    walletsSignin: signIn,
    walletsVerify: { request: signed, toldSometimes: SIGNED_OUT },
    verifyLink: { request: signed, toldSometimes: SIGNED_OUT },
    verifyTransfer: { request: signedByAnother, usesUp: true },
    prefetch: {
      request: () => ({ body: { chain: 'EVM', publicWalletAddress: newAddress() } }),
      untold: 'changes nothing',
    },
  },
};
