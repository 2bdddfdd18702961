import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { EnabledProviders } from '../../src/providers/index.js';
import { SealedRecordsRegistry } from '../../src/vault/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { auditOf } from '../support/audit.js';
import type { Refusal } from '../support/codes.js';
import { IdentityProvider } from '../support/identity-provider.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { World } from '../support/world.js';

interface Shown {
  id: string;
  provider: string;
  enabledAt: string | null;
  clientId?: string;
  clientSecret?: string;
  scopes?: string;
  redirectUrl?: string;
  authorizationUrl?: string;
}
type Refused = Refusal & { payload: { fields: { field: string; reason: string }[] } };

const MASK = '••••••••';
const SECRET = 'canary-provider-secret';
const SOCIAL = ['apple', 'bitbucket', 'coinbasesocial', 'discord', 'epicgames', 'facebook', 'farcaster', 'github'];
const CREATABLE = [
  ...[
    'emailOnly',
    'magicLink',
    ...SOCIAL,
    'gitlab',
    'google',
    'instagram',
    'linkedin',
    'microsoft',
    'twitch',
    'twitter',
  ],
  ...[
    'blocto',
    'banxa',
    'coinbaseOnramp',
    'dynamic',
    'alchemy',
    'zerodev',
    'telegram',
    'turnkey',
    'coinbaseWaas',
    'sms',
  ],
  ...['spotify', 'tiktok', 'line', 'steam', 'shopify'],
];
const P256 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

describe('providers of an environment', () => {
  let test: TestApp;
  let idp: IdentityProvider;

  beforeAll(async () => {
    idp = await IdentityProvider.start();
    const PROVIDER_ADDRESSES = JSON.stringify({
      google: { issuer: idp.issuer },
      apple: { issuer: `${idp.issuer}/apple` },
    });
    test = await startTestApp({ env: { ROLE: 'api', PROVIDER_ADDRESSES } });
  });
  afterEach(() => idp.answerRightly());
  afterAll(async () => {
    await idp.stop();
    await test.close();
  });

  const one = (id: string, rest = ''): string => `/settings/providers/${id}${rest}`;
  const create = <T = Shown>(world: World, body: object) =>
    world.owner.post<T>(world.path('/settings/providers'), body);
  const github = (changes: object = {}) => ({ provider: 'github', clientId: 'gh', clientSecret: SECRET, ...changes });
  const fieldsOf = ({ payload }: Refused): string[] => payload.fields.map(({ field }) => field).sort();

  it('are refused to callers without an Authorization header', async () => {
    const world = await World.create(test);
    const { status } = await world.anonymous.post(world.path('/settings/providers'), github());
    expect(status).toBe(401);
    const { body } = await world.owner.get<{ providers: Shown[] }>(world.path('/settings/providers'), { expect: 200 });
    expect(body.providers.map(({ provider }) => provider)).toEqual(['emailOnly']);
  });

  it('are made of every value of the contract, not enabled', async () => {
    const world = await World.create(test);
    expect(CREATABLE).toHaveLength(32);
    for (const provider of CREATABLE) {
      const { status, body } = await create(world, { provider });
      expect([provider, status, body.enabledAt]).toEqual([provider, 201, null]);
    }
    for (const provider of ['okta', 'kraken', 'sendgrid', 'resend']) {
      expect((await create(world, { provider })).status).toBe(400);
      await world.owner.post(world.path(`/settings/providers/type/${provider}`), {}, { expect: 201 });
    }
    await world.owner.post(world.path('/settings/providers/type/nobody'), {}, { expect: 404 });
  });

  it('of OpenID Connect show the page that people authorize at, not the issuer', async () => {
    const world = await World.create(test);
    const own = { clientId: 'client', clientSecret: SECRET };
    const apple = { clientId: 'client', clientSecret: P256, oauthKeyId: 'KID', oauthTeamId: 'TEAM' };
    const pages: [provider: string, body: object, page: string | undefined][] = [
      ['google', own, `${idp.issuer}/o/oauth2/v2/auth`],
      ['gitlab', own, 'https://gitlab.com/oauth/authorize'],
      ['microsoft', own, 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize'],
      ['apple', apple, `${idp.issuer}/apple/auth/authorize`],
      ['okta', { ...own, domain: 'acme.okta.example' }, 'https://acme.okta.example/oauth2/v1/authorize'],
    ];
    for (const [provider, body, page] of pages) {
      const path = world.path(`/settings/providers/type/${provider}`);
      const made = await world.owner.post<Shown>(path, body, { expect: 201 });
      expect([provider, made.body.authorizationUrl]).toEqual([provider, page]);
      if (provider !== 'okta') continue;
      const at = { domain: 'acme.okta.example/oauth2/default' };
      const moved = await world.owner.put<Shown>(one(made.body.id), { ...own, ...at }, { expect: 200 });
      expect(moved.body.authorizationUrl).toBe('https://acme.okta.example/oauth2/default/v1/authorize');
    }
  });

  it('are set up, read, changed, switched on and off, and removed, each with its event and record', async () => {
    const world = await World.create(test);
    const { status, body: made } = await create(world, github());
    expect(status).toBe(201);
    expect(made).toEqual({
      id: expect.any(String),
      provider: 'github',
      enabledAt: null,
      clientId: 'gh',
      clientSecret: MASK,
      createNewAccounts: true,
      authorizationUrl: 'https://github.com/login/oauth/authorize',
      redirectUrl: expect.stringMatching(`/api/v0/sdk/${world.environmentId}/providers/github/redirect$`),
      baseAuthUrl: expect.stringMatching(`/api/v0/sdk/${world.environmentId}/providers/github/login$`),
    });
    expect((await world.owner.get(one(made.id), { expect: 200 })).body).toEqual(made);
    const { body: changed } = await world.owner.put<Shown>(one(made.id), { scopes: 'read:user' }, { expect: 200 });
    expect(changed).toEqual({ ...made, scopes: 'read:user' });
    const { body: enabled } = await world.owner.put<Shown>(one(made.id, '/enable'), undefined, { expect: 200 });
    expect(enabled).toEqual({ ...changed, enabledAt: expect.any(String) });
    expect((await world.owner.put(one(made.id, '/enable'), undefined, { expect: 200 })).body).toEqual(enabled);
    const { body: disabled } = await world.owner.put<Shown>(one(made.id, '/disable'), undefined, { expect: 200 });
    expect(disabled).toEqual(changed);
    await world.owner.delete(one(made.id), { expect: 204 });
    await world.owner.get(one(made.id), { expect: 404 });
    const expected = ['created', 'updated', 'enabled', 'disabled', 'deleted'].map((name) => `provider.${name}`);
    const events = await eventsOf(test, world.environmentId);
    const told = events.filter(({ name }) => name.startsWith('provider.'));
    expect(told.map(({ name }) => name)).toEqual(expected);
    expect(JSON.stringify(told)).not.toContain(SECRET);
    const records = await auditOf(test, world.ids.organizationId);
    expect(
      records
        .map(({ action }) => action)
        .filter((action) => expected.includes(action))
        .sort(),
    ).toEqual([...expected].sort());
    expect(JSON.stringify(records)).not.toContain(SECRET);
  });

  it('keep their secret sealed, bound to the row, and open it for adapters alone', async () => {
    const world = await World.create(test);
    const { body: first } = await create(world, github());
    const { body: second } = await create(world, { ...github(), provider: 'gitlab' });
    await world.owner.put(one(first.id, '/enable'), undefined, { expect: 200 });
    const provider = (await test.app.get(EnabledProviders).find(world.environmentId, 'github'))!;
    await expect(provider.withSecret((secret) => secret)).resolves.toBe(SECRET);
    const rows = await rowsOf<{ text: string }>(
      test,
      'SELECT p::text AS text FROM providers p WHERE environment_id = $1',
      [world.environmentId],
    );
    expect(JSON.stringify(rows)).not.toContain(SECRET);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(SECRET).toString('hex'));
    await rowsOf(
      test,
      'UPDATE providers p SET sealed_secret = o.sealed_secret FROM providers o WHERE p.id = $1 AND o.id = $2 RETURNING 1',
      [first.id, second.id],
    );
    const swapped = (await test.app.get(EnabledProviders).find(world.environmentId, 'github'))!;
    await expect(swapped.withSecret((secret) => secret)).rejects.toThrow();
    const names = test.app.get(SealedRecordsRegistry).all();
    expect(names.map(({ name }) => name)).toContain('providers.sealed_secret');
  });

  it('take only what their type declares, and name every field that is wrong', async () => {
    const world = await World.create(test);
    const wrong = { accountSid: 'AC1', commerceStore: 'store', useDynamicCredentials: true, scopes: 'a  b' };
    const { status, body } = await create<Refused>(world, github(wrong));
    expect([status, body.code, fieldsOf(body)]).toEqual([
      422,
      'invalid_provider',
      ['accountSid', 'commerceStore', 'scopes', 'useDynamicCredentials'],
    ]);
    const stores = ['evil.example/', 'a.b', 'store#', 'store:1', '../x'];
    for (const commerceStore of stores) {
      expect((await create(world, { provider: 'shopify', commerceStore })).status).toBe(422);
    }
    const apple = { provider: 'apple', clientId: 'a', oauthKeyId: 'k', oauthTeamId: 't' };
    expect((await create(world, { ...apple, clientSecret: 'no key' })).status).toBe(422);
    expect((await create(world, { ...apple, clientSecret: P256 })).status).toBe(201);
    // Copied with the end of its line, or from a text with other quotes: no header could carry it.
    for (const clientSecret of [`${SECRET}\n`, ` ${SECRET}\t`, `“${SECRET}”`, '秘密'])
      for (const record of [github(), { provider: 'sms', accountSid: 'AC1' }]) {
        const refused = await create<Refused>(world, { ...record, clientSecret });
        expect(refused.status).toBe(422);
        expect(fieldsOf(refused.body)).toEqual(['clientSecret']);
      }
  });

  it('name all that is missing in one answer when they are to be enabled', async () => {
    const world = await World.create(test);
    const missing = async (body: object): Promise<string[]> => {
      const { body: made } = await create(world, body);
      const { status, body: refused } = await world.owner.put<Refused>(one(made.id, '/enable'));
      expect([status, refused.code]).toEqual([422, 'provider_incomplete']);
      expect((await world.owner.get<Shown>(one(made.id))).body.enabledAt).toBeNull();
      return fieldsOf(refused);
    };
    expect(await missing({ provider: 'apple' })).toEqual(['clientId', 'clientSecret', 'oauthKeyId', 'oauthTeamId']);
    expect(await missing({ provider: 'shopify', clientId: 'a' })).toEqual(['clientSecret', 'commerceStore']);
    expect(await missing({ provider: 'sms' })).toEqual([
      'accountSid',
      'clientSecret',
      'enabledCountries',
      'smsSenderNumber',
    ]);
    expect(await missing({ provider: 'zerodev' })).toEqual(['provider']);
    idp.answerWith({ issuer: 'https://other.example' });
    expect(await missing({ provider: 'google', clientSecret: SECRET })).toEqual(['clientId', 'provider']);
    idp.answerRightly();
    const { body: google } = await create(world, { provider: 'google', clientId: 'g', clientSecret: SECRET });
    await world.owner.put(one(google.id, '/enable'), undefined, { expect: 200 });
  });

  it('stay complete while they are enabled', async () => {
    const world = await World.create(test);
    const { body: made } = await create(world, github());
    await world.owner.put(one(made.id, '/enable'), undefined, { expect: 200 });
    const { status, body } = await world.owner.put<Refused>(one(made.id), { clientSecret: '' });
    expect([status, fieldsOf(body)]).toEqual([422, ['clientSecret']]);
    expect((await world.owner.get<Shown>(one(made.id))).body.clientSecret).toBe(MASK);
  });

  it('ask for the secret again when it would go somewhere else', async () => {
    const world = await World.create(test);
    const { body: made } = await create(world, github());
    const { status, body } = await world.owner.put<Refusal>(one(made.id), { clientId: 'other' });
    expect([status, body.code]).toEqual([422, 'provider_secret_needed']);
    await world.owner.put(one(made.id), { clientId: 'gh' }, { expect: 200 });
    await world.owner.put(one(made.id), { clientId: 'other', clientSecret: 'new' }, { expect: 200 });
    const okta = { clientId: 'o', clientSecret: SECRET, domain: 'a.okta.example' };
    const path = world.path('/settings/providers/type/okta');
    const { body: directory } = await world.owner.post<Shown>(path, okta, { expect: 201 });
    expect((await world.owner.put(one(directory.id), { domain: 'b.okta.example' })).status).toBe(422);
    const { body: without } = await world.owner.put<Shown>(one(directory.id), {
      domain: 'b.okta.example',
      clientSecret: '',
    });
    expect(without.clientSecret).toBeUndefined();
  });

  it('ask for the secret of a gateway again when an account at the vendor would get it', async () => {
    const world = await World.create(test);
    const gateway = { provider: 'sms', clientSecret: SECRET, domain: 'sms.own.example' };
    const { body: made } = await create(world, gateway);
    const { status, body } = await world.owner.put<Refusal>(one(made.id), { accountSid: 'AC1' });
    expect([status, body.code]).toEqual([422, 'provider_secret_needed']);
    expect((await world.owner.get<Shown>(one(made.id), { expect: 200 })).body).toEqual(made);
    await world.owner.put(one(made.id), { smsSenderNumber: '+15005550006' }, { expect: 200 });
    const { body: moved } = await world.owner.put<Shown>(
      one(made.id),
      { accountSid: 'AC1', clientSecret: 'the token of the account' },
      { expect: 200 },
    );
    expect(moved).toMatchObject({ accountSid: 'AC1', clientSecret: MASK });
  });

  it('have one enabled of each type: of 50 switched on at once, one is', async () => {
    const world = await World.create(test);
    const ids: string[] = [];
    for (let made = 0; made < 50; made++) ids.push((await create(world, github())).body.id);
    const answers = await Promise.all(ids.map((id) => world.owner.put<Refusal>(one(id, '/enable'))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(49).fill(422)]);
    const codes = new Set(answers.filter(({ status }) => status === 422).map(({ body }) => body.code));
    expect(codes).toEqual(new Set(['provider_enabled_already']));
    const enabled = await rowsOf(
      test,
      "SELECT 1 FROM providers WHERE environment_id = $1 AND provider = 'github' AND enabled_at IS NOT NULL",
      [world.environmentId],
    );
    expect(enabled).toHaveLength(1);
    expect(await auditOf(test, world.ids.organizationId, { action: 'provider.enabled' })).toHaveLength(1);
  });

  it('are one hundred at most, however many are made at once', async () => {
    const world = await World.create(test);
    for (let made = 0; made < 60; made++) await create(world, { provider: 'github' });
    const answers = await Promise.all(Array.from({ length: 60 }, () => create<Refusal>(world, { provider: 'github' })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(39);
    expect(answers.find(({ status }) => status === 422)?.body.code).toBe('too_many_providers');
  });

  it('tell applications what their type publishes, once they are enabled', async () => {
    const world = await World.create(test);
    const apple = { provider: 'apple', clientId: 'a', oauthKeyId: 'canary-key', oauthTeamId: 'canary-team' };
    const { body: made } = await create(world, { ...apple, clientSecret: P256 });
    await create(world, github());
    const read = async () =>
      (await world.anonymous.get<{ providers: Shown[] }>(world.sdk('/settings'), { expect: 200 })).body.providers;
    await rowsOf(test, 'UPDATE providers SET enabled_at = now() WHERE id = $1 RETURNING 1', [made.id]);
    const providers = await read();
    expect(providers.map(({ provider }) => provider).sort()).toEqual(['apple', 'emailOnly']);
    expect(providers.find(({ provider }) => provider === 'apple')).toMatchObject({ clientId: 'a' });
    expect(JSON.stringify(providers)).not.toMatch(/canary|clientSecret|•/);
  });

  it('are found by their addresses', async () => {
    const world = await World.create(test);
    const { body } = await world.owner.get<{ providerUrls: Shown[] }>(world.path('/settings/providers/urls'), {
      expect: 200,
    });
    const redirects = new Map(body.providerUrls.map(({ provider, redirectUrl }) => [provider, redirectUrl]));
    expect(redirects.size).toBe(21);
    expect(redirects.get('apple')).toMatch(/\/providers\/apple\/redirect$/);
    expect(redirects.get('coinbasesocial')).toMatch(/\/providers\/cbOauthRedirectUrl$/);
  });

  it('of a type that only another release knows are left alone, and break nothing', async () => {
    const world = await World.create(test);
    const { body: kept } = await create(world, { ...github(), provider: 'discord' });
    const { body: made } = await create(world, github());
    for (const { id } of [kept, made]) await world.owner.put(one(id, '/enable'), undefined, { expect: 200 });
    await rowsOf(test, "UPDATE providers SET provider = 'slack' WHERE id = $1 RETURNING 1", [made.id]);
    const names = async (read: Promise<{ body: { providers: Shown[] } }>): Promise<string[]> =>
      (await read).body.providers.map(({ provider }) => provider).sort();
    const expected = ['discord', 'emailOnly'];
    expect(await names(world.owner.get(world.path('/settings/providers'), { expect: 200 }))).toEqual(expected);
    await world.owner.put(world.path(''), { general: { displayName: 'Renamed' } }, { expect: 200 });
    expect(await names(world.anonymous.get(world.sdk('/settings'), { expect: 200 }))).toEqual(expected);
    await world.owner.get(one(made.id), { expect: 404 });
    await world.owner.put(one(made.id), { scopes: 'x' }, { expect: 404 });
    for (const turn of ['/enable', '/disable']) await world.owner.put(one(made.id, turn), undefined, { expect: 404 });
    await world.owner.delete(one(made.id), { expect: 404 });
    const left = await rowsOf(test, 'SELECT enabled_at FROM providers WHERE id = $1', [made.id]);
    expect(left).toEqual([{ enabled_at: expect.any(Date) }]);
  });

  it('of another tenant do not exist', async () => {
    const [world, other] = [await World.create(test), await World.create(test)];
    const { body } = await create(world, github());
    await other.owner.get(one(body.id), { expect: 404 });
    await other.owner.put(one(body.id), { scopes: 'x' }, { expect: 404 });
    await other.owner.put(one(body.id, '/enable'), undefined, { expect: 404 });
    await other.owner.delete(one(body.id), { expect: 404 });
  });
});
