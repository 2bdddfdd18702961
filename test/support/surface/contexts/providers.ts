import { newEmail } from '../../world.js';
import { word } from '../records.js';
import type { RequestParts, Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

async function makeProvider({ world, marker }: Tenant): Promise<string> {
  const body = { provider: 'github', clientId: marker, clientSecret: word() };
  return (await world.api.post<{ id: string }>(world.path('/settings/providers'), body, { expect: 201 })).body.id;
}

/** Makes room for providers, and keeps the one that sends codes. */
async function forgetProviders({ db, ids }: Tenant): Promise<void> {
  await db.query("DELETE FROM providers WHERE environment_id = $1 AND id <> $2 AND provider = 'github'", [
    ids['environmentId'],
    ids['providerId'],
  ]);
}

/** Sets the provider so that the call has something to change. */
const setTo =
  (enabledAt: 'NULL' | 'now()') =>
  async ({ db, ids }: Tenant): Promise<RequestParts> => {
    await db.query(`UPDATE providers SET enabled_at = ${enabledAt} WHERE id = $1`, [ids['providerId']]);
    return {};
  };

/** Fields of other provider types, and texts whose format depends on the type. */
const OTHER_TYPES = /^(?!clientId)/;

const configuration = () => ({ clientId: word(), clientSecret: word(), scopes: 'read:user' });

export const surface: Surface = {
  records: { providerId: { make: makeProvider } },
  kinds: { providerType: 'github' },
  operations: {
    createProvider: {
      request: async (tenant) => {
        await forgetProviders(tenant);
        return { body: { provider: 'github', ...configuration() } };
      },

      rulesBeyondTheSchema: OTHER_TYPES,
    },
    createProviderOfType: {
      request: async (tenant) => {
        await forgetProviders(tenant);
        return { body: configuration() };
      },
      rulesBeyondTheSchema: OTHER_TYPES,
    },
    updateProvider: { request: () => ({ body: configuration() }), rulesBeyondTheSchema: OTHER_TYPES },
    enableProvider: { request: setTo('NULL') },
    disableProvider: { request: setTo('now()') },
    getEmailProvider: { request: () => ({ query: `email=${newEmail()}` }) },
    checkSsoProvider: {
      request: () => ({ body: { email: newEmail() } }),
      untold: 'only says which door an address takes',
    },
  },
};
