import { EnvironmentPromotion, SigningKeys } from '../../../../src/environments/index.js';
import { HostnameChecks } from '../../../../src/environments/hostnames/hostname-checks.service.js';
import type { CustomHostnameEntity } from '../../../../src/environments/hostnames/custom-hostname.entity.js';
import { word } from '../records.js';
import { keepOne } from '../room.js';
import type { RequestParts, Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

async function makeOrigin({ world, marker }: Tenant): Promise<string> {
  const body = { origin: `https://${word()}.${marker}.example.com` };
  const made = await world.api.post<{ origin: { id: string } }>(world.path('/origins'), body, { expect: 201 });
  return made.body.origin.id;
}

async function makeDeeplinkUrl({ world, marker }: Tenant): Promise<string> {
  const body = { url: `myapp://${marker}/${word()}` };
  return (await world.api.post<{ id: string }>(world.path('/deeplinkUrls'), body, { expect: 201 })).body.id;
}

async function makeCustomHostname({ world, marker }: Tenant): Promise<string> {
  const body = { hostname: `${word()}.${marker}.example.com`, usage: 'cookies' };
  return (await world.api.post<{ id: string }>(world.path('/custom/hostnames'), body, { expect: 201 })).body.id;
}

/** All sections, as the document requires; lists in full, since they are replaced. */
const settings = () => ({
  chains: [{ name: 'EVM', enabled: true }],
  kyc: [],
  design: {},
  general: { displayName: word() },
  privacy: {},
  sdk: {},
  security: {},
});

/** Settings affect other operations, so they are restored. */
async function settingsKept({ world }: Tenant): Promise<() => Promise<unknown>> {
  const { body } = await world.owner.get<{ settings: object }>(world.path(''), { expect: 200 });
  // Other records may differ by then, since networks follow the chains.
  const others = ['customFields', 'providers', 'exchanges', 'networks', 'environmentName'];
  const own = Object.fromEntries(Object.entries(body.settings).filter(([name]) => !others.includes(name)));
  return () => world.owner.put(world.path(''), own, { expect: 200 });
}

/** Only the source's name: the rest of the target is still needed. */
const ofTheName = (fromEnvironmentId: string) => ({
  fromEnvironmentId,
  except: [
    ...['allowlists', 'customFields', 'deeplinkUrls', 'gates', 'globalWallet', 'origins', 'providers', 'webhooks'],
    ...['chains', 'design', 'kyc', 'privacy', 'sdk', 'security'].map((section) => `settings/${section}`),
  ],
});

async function planned({ world }: Tenant): Promise<RequestParts> {
  const { live } = world.ids.environments;
  await world.owner.put(`/environments/${live}`, settings(), { expect: 200 });
  const plan = await world.owner.post<{ digest: string }>(world.path('/promotion/plan'), ofTheName(live), {
    expect: 200,
  });
  return { body: { ...ofTheName(live), digest: plan.body.digest } };
}

/** Creates a test account, or makes room for one. */
const withTestAccount =
  (isThere: boolean) =>
  async ({ db, ids, world }: Tenant): Promise<RequestParts> => {
    await db.query('DELETE FROM test_accounts WHERE environment_id = $1', [ids['environmentId']]);
    if (isThere) await world.api.post(world.path('/test/account'), undefined, { expect: 201 });
    return {};
  };

async function aHostNameWithoutRecords(tenant: Tenant): Promise<void> {
  const id = await tenant.makeRecord('customHostnameId');
  const late = `UPDATE custom_hostnames SET status_since = now() - interval '8 d' WHERE id = $1
    RETURNING id, environment_id AS "environmentId", hostname, challenge`;
  const { rows } = await tenant.db.query<CustomHostnameEntity>(late, [id]);
  await tenant.world.test.app.get(HostnameChecks).check(tenant.world.environmentId, rows[0]!);
}

async function promotion({ world }: Tenant): Promise<string[]> {
  const [from, to] = [world.environmentId, world.ids.environments.live];
  const asked = { from, to, prune: false, except: ['webhooks' as const] };
  const { digest } = await world.test.app.get(EnvironmentPromotion).plan(asked);
  return ['--from', from, '--to', to, '--except', 'webhooks', '--apply', digest];
}

const ONLY_SAYS = 'only says whether a token would be taken';

export const surface: Surface = {
  records: {
    originId: { make: makeOrigin },
    deeplinkUrlId: { make: makeDeeplinkUrl },
    customHostnameId: { make: makeCustomHostname },
  },
  kinds: { sdkViewType: 'login' },
  operations: {
    addOrigin: {
      request: async (tenant) => {
        await keepOne('origins', 'environmentId', 'originId')(tenant);
        return { body: { origin: `https://${word()}.example.com` } };
      },
    },
    addDeeplinkUrl: {
      request: async (tenant) => {
        await keepOne('deeplink_urls', 'environmentId', 'deeplinkUrlId')(tenant);
        return { body: { url: `myapp://callback/${word()}` } };
      },
    },
    createCustomHostname: {
      request: async (tenant) => {
        await keepOne('custom_hostnames', 'environmentId', 'customHostnameId')(tenant);
        return { body: { hostname: `${word()}.example.com`, usage: 'globalWallet' } };
      },
    },
    updateProjectSettings: {
      request: () => ({ body: settings() }),
      rulesBeyondTheSchema:
        /^(security\.(captcha|externalAuth|jwtDuration)|sdk\.embeddedWallets\.sessionKeyDuration)\b/,
      // Settings are merged into the stored ones, so fields omitted from objects stay. Lists are replaced, so nothing
      // may be omitted from them.
      takenAnyway: /^(?![^:]*\.\d)[^:]*: (without |an object$)/,
      restoring: settingsKept,
    },
    planPromotion: {
      request: ({ world }) => ({ body: ofTheName(world.ids.environments.live) }),
      untold: ONLY_SAYS,
      unrecorded: ONLY_SAYS,
    },
    applyPromotion: { request: planned },
    updateSdkView: { request: () => ({ body: { sections: [{ type: 'email' }, { type: 'text', label: word() }] } }) },
    createTestAccount: { request: withTestAccount(false) },
    getTestAccount: { request: withTestAccount(true) },
    deleteTestAccount: {
      request: withTestAccount(true),
      toldSometimes: { 'user.session.revoked': 'when somebody is signed in with the code' },
    },
    checkExternalJwt: {
      request: () => ({ body: { encodedJwt: 'e30.e30.e30' } }),
      untold: ONLY_SAYS,
      unrecorded: ONLY_SAYS,
    },
    logSdkSettings: {
      request: () => ({ body: { frameworkSettings: { react: { version: '19.0.0' } } } }),
      untold: 'counts what a page has seen, which is no state of the environment',
    },
    getEnvironmentSettings: { request: () => ({ query: 'sdkVersion=1.0.0' }) },
  },
  scenarios: {
    'a host name without records': aHostNameWithoutRecords,
    // Of the live environment, since tokens of the others are still needed.
    'a stolen signing key': async ({ world }) =>
      void (await world.test.app.get(SigningKeys).replaceNow(world.ids.environments.live)),
  },
  commands: {
    'signing-keys rotate': { options: ({ world }) => ['--environment', world.environmentId] },
    promote: { options: promotion },
    'environments new-key': { untold: 'prints a key and stores nothing' },
    'environments export': {
      options: ({ world }) => [world.environmentId, '--plan'],
      untold: 'only reads; that a file was written is in the ledger of keys and the trail',
    },
    'environments import': {
      reachesOut: true,
      untold: 'brings what was told where it comes from',
    },
  },
};
