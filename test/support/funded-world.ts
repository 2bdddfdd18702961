import { RAMP_KEYS } from './money-vendors.js';
import type { World } from './world.js';

const SOCIAL = {
  coinbasesocial: 'wallet:user:read wallet:accounts:read wallet:transactions:read wallet:transactions:send',
  kraken: 'account.info:basic account.fast-api-key:write',
} as const;

async function enabled(world: World, provider: string, body: object): Promise<string> {
  const path = world.path(`/settings/providers/type/${provider}`);
  const { id } = (await world.owner.post<{ id: string }>(path, body, { expect: 201 })).body;
  await world.owner.put(`/settings/providers/${id}/enable`, undefined, { expect: 200 });
  return id;
}

/** Enables a ramp. Returns the id of its provider. */
export const enableRamp = (world: World, provider: keyof typeof RAMP_KEYS): Promise<string> =>
  enabled(world, provider, RAMP_KEYS[provider]);

/** Enables an exchange and its provider. Returns its id. */
export async function enableExchange(world: World, exchange: 'coinbase' | 'kraken'): Promise<string> {
  const social = exchange === 'coinbase' ? 'coinbasesocial' : 'kraken';
  await enabled(world, social, { clientId: 'client', clientSecret: 'secret-of-the-client', scopes: SOCIAL[social] });
  const path = world.path('/settings/exchanges');
  const { id } = (await world.owner.post<{ id: string }>(path, { exchange }, { expect: 201 })).body;
  await world.owner.put(`/settings/exchanges/${id}/enable`, undefined, { expect: 200 });
  return id;
}
