import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { newId } from '../../src/common/ids.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { countStatements } from '../support/statements.js';
import { RawClient, type RawAnswer } from '../support/surface/raw-client.js';
import { eventually } from '../support/receiver.js';
import { newEmail, World } from '../support/world.js';

const SITE = 'https://app.example.com';
const PREFLIGHT = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'content-type,x-version',
};

describe('calls from browsers', () => {
  let test: TestApp;
  let other: TestApp;
  let world: World;
  let client: RawClient;

  beforeAll(async () => {
    test = await sharedTestApp();
    other = await startTestApp({ env: { ROLE: 'api' }, databaseUrl: test.databaseUrl });
    world = await World.create(test);
    client = new RawClient(test.url);
    for (const origin of [SITE, 'https://*.preview.example.com', 'http://localhost:5173']) await allow(world, origin);
  });
  afterAll(async () => {
    client.close();
    await other.close();
    await test.close();
  });

  const allow = async (where: World, origin: string, environmentId = where.environmentId): Promise<string> => {
    const path = `/environments/${environmentId}/origins`;
    const { body } = await where.owner.post<{ origin: { id: string } }>(path, { origin }, { expect: 201 });
    return body.origin.id;
  };
  const send = (
    path: string,
    origin: string | null,
    more: { method?: string; headers?: Record<string, string> } = {},
  ) => client.send({ method: 'GET', path, ...more, headers: { ...(origin !== null && { origin }), ...more.headers } });
  const sdk = (rest: string, environmentId: string = world.environmentId) => `/api/v0/sdk/${environmentId}${rest}`;
  const preflight = (path: string, origin: string, headers: Record<string, string> = {}) =>
    send(path, origin, { method: 'OPTIONS', headers: { ...PREFLIGHT, ...headers } });
  const corsOf = ({ headers }: RawAnswer): Record<string, unknown> =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));

  const GRANT = {
    'access-control-allow-origin': SITE,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers':
      'X-Request-Id, Retry-After, Deprecation, WWW-Authenticate, RateLimit-Policy, RateLimit-Remaining, RateLimit-Reset, Idempotent-Replayed',
  };

  it('of a registered site may read the answer, with credentials', async () => {
    const answer = await send(sdk('/settings'), SITE);
    expect(answer.status).toBe(200);
    expect(corsOf(answer)).toEqual(GRANT);
    expect(answer.headers.vary).toBe('Origin');
  });

  it('of a registered site may read refusals, those of the body included', async () => {
    const malformed = await client.send({
      method: 'POST',
      path: sdk('/emailVerifications/create'),
      headers: { origin: SITE },
      body: '{"email":',
    });
    const answers = [malformed, await send(sdk('/session'), SITE), await send(sdk('/nowhere'), SITE)];
    expect(answers.map(({ status }) => status)).toEqual([400, 401, 404]);
    for (const answer of answers) {
      expect(corsOf(answer)).toEqual(GRANT);
      expect(answer.headers.vary).toBe('Origin');
      expect(answer.headers['x-request-id']).toBeDefined();
    }
  });

  it('of other sites get a response with Vary: Origin, and no CORS headers', async () => {
    const answer = await send(sdk('/settings'), 'https://evil.example');
    expect([answer.status, corsOf(answer), answer.headers.vary]).toEqual([200, {}, 'Origin']);
    const without = await send(sdk('/settings'), null);
    expect([without.status, corsOf(without), without.headers.vary]).toEqual([200, {}, 'Origin']);
  });

  it('get a preflight response with methods and requested headers, valid for ten minutes', async () => {
    const answer = await preflight(sdk('/emailVerifications/create'), SITE);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(corsOf(answer)).toEqual({
      ...GRANT,
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': PREFLIGHT['access-control-request-headers'],
      'access-control-max-age': '600',
    });
    expect(answer.headers.vary).toBe('Origin');
  });

  it('of other sites, or to a missing environment, are refused at the preflight', async () => {
    for (const path of [sdk('/settings'), sdk('/settings', newId())]) {
      const answer = await preflight(path, path.includes(world.environmentId) ? 'https://evil.example' : SITE);
      expect([answer.status, corsOf(answer), answer.headers.vary]).toEqual([204, {}, 'Origin']);
    }
  });

  it('never get invalid header names back', async () => {
    for (const asked of ['a b', '(', 'x'.repeat(1_025), 'a,,b', '<script>']) {
      const answer = await preflight(sdk('/settings'), SITE, { 'access-control-request-headers': asked });
      expect(corsOf(answer)).not.toHaveProperty('access-control-allow-headers');
      expect(answer.status).toBe(204);
    }
    const longest = await preflight(sdk('/settings'), SITE, { 'access-control-request-headers': 'x'.repeat(1_024) });
    expect(corsOf(longest)['access-control-allow-headers']).toHaveLength(1_024);
  });

  /** What is registered: the site, `https://*.preview.example.com` and `http://localhost:5173`. */
  it.each([
    [SITE, true],
    ['https://a.preview.example.com', true],
    ['https://pr-1.preview.example.com', true],
    ['http://localhost:5173', true],
    ['null', false],
    ['', false],
    ['*', false],
    ['https://*.preview.example.com', false],
    ['http://app.example.com', false],
    ['https://app.example.com:8443', false],
    ['https://app.example.com:443', false],
    ['https://app.example.com.', false],
    ['https://app.example.com/', false],
    ['https://APP.example.com', false],
    ['HTTPS://app.example.com', false],
    ['https://app.example.com.evil.test', false],
    ['https://app.example.com@evil.test', false],
    ['https://app.example.com%2eevil.test', false],
    ['https://app.example.com#evil.test', false],
    ['https://app.example.com?evil.test', false],
    ['https://app.example.com\\evil.test', false],
    ['https://app.example.com, https://evil.test', false],
    ['https://app.example.com https://evil.test', false],
    ['https://evilapp.example.com', false],
    ['https://appXexample.com', false],
    ['https://example.com', false],
    ['https://evil.example.com', false],
    ['app.example.com', false],
    ['//app.example.com', false],
    ['https://preview.example.com', false],
    ['https://a.b.preview.example.com', false],
    ['https://.preview.example.com', false],
    ['https://a_b.preview.example.com', false],
    ['https://-a.preview.example.com', false],
    ['https://a.preview.example.com:8443', false],
    ['http://a.preview.example.com', false],
    ['https://a.preview.example.com.evil.test', false],
    ['https://evilpreview.example.com', false],
    ['http://localhost', false],
    ['http://localhost:5174', false],
    ['https://localhost:5173', false],
    ['http://127.0.0.1:5173', false],
    ['chrome-extension://abcdefghijklmnop', false],
    ['file://', false],
  ])('from %p: allowed %p, preflight and call alike', async (origin, isAllowed) => {
    for (const answer of [await send(sdk('/settings'), origin), await preflight(sdk('/settings'), origin)]) {
      expect(answer.headers['access-control-allow-origin']).toBe(isAllowed ? origin : undefined);
      expect(answer.headers['access-control-allow-credentials']).toBe(isAllowed ? 'true' : undefined);
    }
  });

  it('over http from localhost are for the sandbox only, whatever is stored', async () => {
    const { live } = world.ids.environments;
    await allow(world, SITE, live);
    const sql = 'INSERT INTO origins (environment_id, id, origin) VALUES ($1, $2, $3)';
    const { DataSource } = await import('typeorm');
    await test.app.get(DataSource).query(sql, [live, newId(), 'http://localhost:5173']);
    // The origins are remembered for a second.
    await sleep(1_050);
    expect(corsOf(await send(sdk('/settings', live), SITE))).toEqual(GRANT);
    expect(corsOf(await send(sdk('/settings', live), 'http://localhost:5173'))).toEqual({});
  });

  it('are allowed per environment: a site of another one is refused', async () => {
    const elsewhere = await World.create(test);
    await allow(elsewhere, 'https://other.example.com');
    expect(corsOf(await send(sdk('/settings'), 'https://other.example.com'))).toEqual({});
    expect(corsOf(await send(sdk('/settings', elsewhere.environmentId), SITE))).toEqual({});
  });

  it('outside /sdk are for servers: no path of theirs allows any origin', async () => {
    const paths = [
      `/api/v0/environments/${world.environmentId}/origins`,
      `/api/v0/organizations`,
      `/docs`,
      `/openapi.json`,
      `/healthz`,
      `/api/v0/sdk`,
      `/api/v0/sdk/${world.environmentId}x/settings`,
      `/api/v0/x/sdk/${world.environmentId}/settings`,
      `//api/v0/sdk/${world.environmentId}/settings`,
      `/api/v0/%73dk/${world.environmentId}/settings`,
      `/?/api/v0/sdk/${world.environmentId}/settings`,
    ];
    for (const path of paths) {
      for (const answer of [await send(path, SITE), await preflight(path, SITE)]) {
        expect([path, corsOf(answer)]).toEqual([path, {}]);
        expect(answer.status).toBeLessThan(500);
      }
    }
  });

  it('ask the database once a second for the sites of an environment, and not at all without an origin', async () => {
    const fresh = await World.create(test);
    const path = sdk('/nonce', fresh.environmentId);
    await send(path, null);
    const ofOrigins = (sent: { name: string }[]) => sent.filter(({ name }) => name === 'origins.listPatterns').length;
    const without = await countStatements(() => send(path, null));
    const burst = await countStatements(() => Promise.all(Array.from({ length: 20 }, () => send(path, SITE))));
    expect([ofOrigins(without.sent), ofOrigins(burst.sent)]).toEqual([0, 1]);
  });

  it('cost the database one look-up for a missing environment, and then nothing', async () => {
    const nobody = newId();
    const known = sdk('/nonce', nobody);
    const again = await countStatements(
      () => Promise.all(Array.from({ length: 20 }, () => Promise.all([send(known, SITE), preflight(known, SITE)]))),
      () => send(known, SITE),
    );
    expect(again.sent).toEqual([]);
    const madeUp = await countStatements(() =>
      Promise.all(Array.from({ length: 200 }, () => preflight(sdk('/nonce', newId()), SITE))),
    );
    expect(new Set(madeUp.sent.map(({ name }) => name))).toEqual(new Set(['environments.find']));
  });

  it('are rate limited before the environment is looked up', async () => {
    const limited = await startTestApp({
      env: { ROLE: 'api', RATE_LIMIT_SCALE: '0.02' },
      databaseUrl: test.databaseUrl,
    });
    const alone = new RawClient(limited.url);
    const ask = () =>
      alone.send({ method: 'OPTIONS', path: sdk('/nonce', newId()), headers: { ...PREFLIGHT, origin: SITE } });
    const statuses: number[] = [];
    for (let call = 0; call < 13; call++) statuses.push((await ask()).status);
    expect(statuses).toEqual([...Array.from({ length: 12 }, () => 204), 429]);
    const beyond = await countStatements(ask);
    expect([beyond.result.status, beyond.sent]).toEqual([429, []]);
    expect(beyond.result.headers['retry-after']).toMatch(/^\d+$/);

    // Whatever a refusal says of the limit, the page may read.
    const nonce = () => alone.send({ method: 'GET', path: sdk('/nonce'), headers: { origin: SITE } });
    await nonce();
    const { status, headers } = await nonce();
    const limits = Object.keys(headers).filter((name) => name.startsWith('ratelimit-'));
    expect([status, limits]).toEqual([429, expect.arrayContaining(['ratelimit-policy'])]);
    const exposed = String(headers['access-control-expose-headers']).toLowerCase().split(', ');
    expect(limits.filter((name) => !exposed.includes(name))).toEqual([]);
    alone.close();
    await limited.close();
  });

  it('name their site in the tokens of a sign-in if it is registered, and the service otherwise', async () => {
    const audienceFrom = async (origin?: string): Promise<unknown> => {
      const { jwt } = await world.signIn(newEmail(), origin === undefined ? {} : { headers: { origin } });
      return decodeJwt(jwt).aud;
    };
    const own = test.config.publicUrl;
    expect(await audienceFrom(SITE)).toBe(SITE);
    expect(await audienceFrom('https://evil.example')).toBe(own);
    expect(await audienceFrom('null')).toBe(own);
    expect(await audienceFrom()).toBe(own);
  });

  it('follow a change within one second on every instance', async () => {
    const fresh = await World.create(test);
    const path = sdk('/settings', fresh.environmentId);
    const elsewhere = new RawClient(other.url);
    const seen = async (): Promise<boolean[]> =>
      Promise.all(
        [client, elsewhere].map(async (each) => {
          const { headers } = await each.send({ method: 'GET', path, headers: { origin: SITE } });
          return headers['access-control-allow-origin'] === SITE;
        }),
      );
    expect(await seen()).toEqual([false, false]);
    const id = await allow(fresh, SITE);
    expect((await seen())[0]).toBe(true);
    await eventually('the other knows', async () => (await seen()).every(Boolean));
    await fresh.owner.delete(`/origins/${id}`, { expect: 204 });
    expect((await seen())[0]).toBe(false);
    await eventually('the other knows', async () => !(await seen()).some(Boolean));
    elsewhere.close();
  });
});
