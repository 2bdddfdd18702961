import { addSite, keySignIn } from '../../wallet-sign-in.js';
import { newAddress } from '../records.js';
import type { OperationSurface, Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

const sites = new WeakMap<Tenant, Promise<unknown>>();

/** A message of a new wallet, for a site that the tenant has. */
async function signed(tenant: Tenant): Promise<{ body: Record<string, unknown> }> {
  if (!sites.has(tenant)) sites.set(tenant, addSite(tenant.world));
  await sites.get(tenant);
  return { body: await keySignIn(tenant.world) };
}

const signIn: OperationSurface = {
  request: signed,
  toldSometimes: { 'user.session.revoked': 'when the user has as many sessions as there may be' },
};

export const surface: Surface = {
  records: {},
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
