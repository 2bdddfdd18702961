import { addSite, keySignIn, SITE } from '../../wallet-sign-in.js';
import { newAddress } from '../records.js';
import type { OperationSurface, Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

const HAS_SITE = 'SELECT 1 FROM origins WHERE environment_id = $1 AND origin = $2';

/** A message of a new wallet, for a site that the tenant has; other operations remove sites. */
async function signed({ world, db }: Tenant): Promise<{ body: Record<string, unknown> }> {
  const { rowCount } = await db.query(HAS_SITE, [world.environmentId, SITE]);
  if (!rowCount) await addSite(world);
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
