import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { eventsOf, fillRows, rowsOf } from '../support/rows.js';
import { rowsRead } from '../support/rows-read.js';
import { countStatements } from '../support/statements.js';
import { newEmail, World } from '../support/world.js';

interface Connection {
  id: string;
  userId: string;
  appUrl: string;
  status: string;
  expiresAt: string;
  code?: string;
}

const CALLERS = 50;
const SHOP = 'https://shop.example.com';
const LATER = '2100-01-01T00:00:00.000Z';

let test: TestApp;

beforeAll(async () => {
  test = await sharedTestApp();
});
afterAll(() => test.close());

async function open(): Promise<World> {
  const world = await World.create(test);
  await world.api.post(world.path('/globalWallet/settings'), { walletName: 'Wallet' }, { expect: 201 });
  await world.api.put(world.path('/globalWallet/enable'), undefined, { expect: 200 });
  return world;
}
const connect = (world: World, token: string, origin?: string, expiresAt = LATER) =>
  world.anonymous.post<Connection>(
    world.sdk('/globalWallets/connections'),
    { expiresAt },
    { token, ...(origin !== undefined && { headers: { origin } }) },
  );
const disconnect = (world: World, token: string, id: string) =>
  world.anonymous.put<Connection>(world.sdk(`/globalWallets/connections/${id}/disconnect`), undefined, { token });
const list = async (world: World, query = ''): Promise<Connection[]> =>
  (await world.api.get<Connection[]>(world.path(`/globalWallet/connections?${query}`), { expect: 200 })).body;
const eventNames = async (world: World, id: string) =>
  (await eventsOf(test, world.environmentId, id)).map(({ name }) => name);
async function restrict(world: World, type: string, domains: string[]): Promise<void> {
  await world.api.post(world.path('/globalWallet/accessControl'), { type }, { expect: 201 });
  for (const domain of domains) {
    await world.api.post(world.path('/globalWallet/accessControl/domains'), { domain }, { expect: 201 });
  }
  await world.api.put(world.path('/globalWallet/accessControl/enable'), undefined, { expect: 200 });
}

describe('a connection of a global wallet', () => {
  it('is created for the site in the Origin header, listed, renewed and ended, with events', async () => {
    const world = await open();
    const { jwt, userId } = await world.signIn(newEmail());
    const { status, body } = await connect(world, jwt, SHOP);
    expect([status, body]).toEqual([
      201,
      {
        ...{ id: expect.any(String), userId, appUrl: SHOP, status: 'connected', expiresAt: LATER },
        ...{ createdAt: expect.any(String), updatedAt: expect.any(String) },
      },
    ]);
    const again = await connect(world, jwt, SHOP, '2101-01-01T00:00:00.000Z');
    expect(again.body).toMatchObject({ id: body.id, expiresAt: '2101-01-01T00:00:00.000Z' });
    expect(await list(world, `userId=${userId}&status=connected`)).toEqual([again.body]);
    const ended = await disconnect(world, jwt, body.id);
    expect([ended.status, ended.body.status]).toEqual([200, 'disconnected']);
    expect((await disconnect(world, jwt, body.id)).body).toEqual(ended.body);
    expect(await list(world, 'status=connected')).toEqual([]);
    expect(await list(world, 'status=disconnected')).toEqual([ended.body]);
    const connected = 'globalWallet.connection.created';
    expect(await eventNames(world, body.id)).toEqual([connected, connected, 'globalWallet.connection.ended']);
  });

  it('that has expired is disconnected, and its expiry must be in the future', async () => {
    const world = await open();
    const { jwt } = await world.signIn(newEmail());
    const { id } = (await connect(world, jwt, SHOP)).body;
    await rowsOf(test, "UPDATE global_wallet_connections SET expires_at = now() - interval '1 s' WHERE id = $1", [id]);
    expect((await list(world)).map(({ status }) => status)).toEqual(['disconnected']);
    expect(await list(world, 'status=connected')).toEqual([]);
    expect((await connect(world, jwt, SHOP, '2020-01-01T00:00:00.000Z')).status).toBe(400);
    expect((await connect(world, jwt, SHOP)).body).toMatchObject({ id, status: 'connected' });
  });

  it.each([
    ['allow', SHOP, 201],
    ['allow', 'https://a.wild.example.com', 201],
    ['allow', 'https://wild.example.com', 403],
    ['allow', 'https://a.b.wild.example.com', 403],
    ['allow', 'https://shop.example.com.evil.example', 403],
    ['allow', 'https://evil-shop.example.com', 403],
    ['allow', 'https://shop.example.com:8443', 403],
    ['allow', 'http://shop.example.com', 403],
    ['allow', 'https://SHOP.example.com', 403],
    ['block', SHOP, 403],
    ['block', 'https://a.wild.example.com', 403],
    ['block', 'https://other.example.com', 201],
    ['block', 'http://other.example.com', 403],
    ['block', 'https://*.wild.example.com', 403],
    ['block', 'null', 403],
    ['block', undefined, 403],
  ])('under an access control of the type %s gets, for the site %s, %d', async (type, origin, status) => {
    const world = await open();
    await restrict(world, type, [SHOP, 'https://*.wild.example.com']);
    const { jwt } = await world.signIn(newEmail());
    const answer = await connect(world, jwt, origin);
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body.code).toBe('global_wallet_site_refused');
    expect(await list(world)).toHaveLength(status === 201 ? 1 : 0);
  });

  it('is allowed for any site without an enabled access control, and never while the wallet is disabled', async () => {
    const world = await open();
    await restrict(world, 'allow', []);
    const { jwt } = await world.signIn(newEmail());
    expect((await connect(world, jwt, SHOP)).status).toBe(403);
    await world.api.put(world.path('/globalWallet/accessControl/disable'), undefined, { expect: 200 });
    expect((await connect(world, jwt, SHOP)).status).toBe(201);
    await world.api.put(world.path('/globalWallet/disable'), undefined, { expect: 200 });
    expect(await connect(world, jwt, SHOP)).toMatchObject({ status: 422, body: { code: 'global_wallet_not_enabled' } });
  });

  it('is not connected while the wallet is disabled, nor for a site refused since', async () => {
    const world = await open();
    const { jwt } = await world.signIn(newEmail());
    const sites = [SHOP, 'https://a.wild.example.com', 'https://a.b.wild.example.com'];
    for (const site of sites) expect((await connect(world, jwt, site)).status).toBe(201);
    const connected = async (): Promise<string[]> => {
      const all = await list(world);
      const live = all.filter(({ status }) => status === 'connected');
      expect(await list(world, 'status=connected')).toEqual(live);
      expect(await list(world, 'status=disconnected')).toEqual(all.filter(({ status }) => status !== 'connected'));
      return live.map(({ appUrl }) => appUrl).reverse();
    };
    expect(await connected()).toEqual(sites);
    await world.api.put(world.path('/globalWallet/disable'), undefined, { expect: 200 });
    expect(await connected()).toEqual([]);
    await world.api.put(world.path('/globalWallet/enable'), undefined, { expect: 200 });
    await restrict(world, 'allow', ['https://shop.example.com', 'https://*.wild.example.com']);
    expect(await connected()).toEqual(sites.slice(0, 2));
    await world.api.put(world.path('/globalWallet/accessControl'), { type: 'block' }, { expect: 200 });
    expect(await connected()).toEqual(['https://a.b.wild.example.com']);
    await world.api.put(world.path('/globalWallet/accessControl/disable'), undefined, { expect: 200 });
    expect(await connected()).toEqual(sites);
  });

  it(`is one for a user and a site, though ${CALLERS} connect at once, and ends at 100 sites`, async () => {
    const world = await open();
    const { jwt, userId } = await world.signIn(newEmail());
    const same = await Promise.all(Array.from({ length: CALLERS }, () => connect(world, jwt, SHOP)));
    expect(new Set(same.map(({ body }) => body.id)).size).toBe(1);
    await rowsOf(
      test,
      `INSERT INTO global_wallet_connections (environment_id, id, user_id, app_url, expires_at)
       SELECT $1, gen_random_uuid(), $2, 'https://s' || n || '.example.org', $3 FROM generate_series(1, 97) n`,
      [world.environmentId, userId, LATER],
    );
    const more = Array.from({ length: CALLERS }, (_, n) => connect(world, jwt, `https://x${n}.example.com`));
    const codes = (await Promise.all(more)).map(({ status, body }) => (status === 201 ? status : body.code));
    expect(codes.filter((code) => code === 201)).toHaveLength(2);
    expect(codes.filter((code) => code === 'too_many_global_wallet_connections')).toHaveLength(CALLERS - 2);
    expect((await connect(world, jwt, SHOP)).status).toBe(201);
  });

  it('is found by status among many of the other, without reading these, in the overall order', async () => {
    const world = await open();
    const fill = (sql: string): Promise<void> => fillRows(test, sql, [world.environmentId]);
    // PostgreSQL estimates from the whole table: live connections of other tests would count for this environment.
    await fill('DELETE FROM global_wallet_connections WHERE environment_id <> $1');
    await fill(`
      WITH u AS (INSERT INTO users (environment_id, id) SELECT $1, gen_random_uuid() FROM generate_series(1, 100) RETURNING id)
      INSERT INTO global_wallet_connections (environment_id, id, user_id, app_url, expires_at)
      SELECT $1, gen_random_uuid(), u.id, 'https://' || n || '.example.com', now() + interval '1 year'
      FROM u, generate_series(1, 100) AS n`);
    const ended = (change: string, remainder: number): Promise<void> =>
      fill(`UPDATE global_wallet_connections SET ${change} WHERE environment_id = $1 AND id IN (
        SELECT id FROM global_wallet_connections WHERE environment_id = $1 ORDER BY id OFFSET ${remainder} LIMIT 3)`);
    await ended("disconnected_at = now() - interval '1 hour'", 100);
    await ended("expires_at = now() - interval '1 hour'", 99);
    await ended("expires_at = now() - interval '1 hour'", 7000);
    const rowsFor = async (query: string): Promise<[Connection[], number]> => {
      await fillRows(test, 'VACUUM (ANALYZE) global_wallet_connections');
      const { result, sent } = await countStatements(() => list(world, query));
      const { text, values } = sent.find((one) => one.text.includes('FROM global_wallet_connections'))!;
      return [result, await rowsRead(test, text, values)];
    };
    const [disconnected, read] = await rowsFor('status=disconnected&limit=5');
    expect([disconnected.map(({ status }) => status), read < 100]).toEqual([Array(5).fill('disconnected'), true]);
    const [rest] = await rowsFor('status=disconnected&limit=5&offset=5');
    const all = [...disconnected, ...rest].map(({ id }) => id);
    expect(all).toEqual(all.toSorted().reverse());
    expect(new Set(all).size).toBe(7);

    await fill("UPDATE global_wallet_connections SET expires_at = now() - interval '1 day' WHERE environment_id = $1");
    await ended("disconnected_at = NULL, expires_at = now() + interval '1 day'", 5000);
    const [connected, few] = await rowsFor('status=connected');
    expect([connected.length, few < 100]).toEqual([3, true]);
  });

  it('that has ended is kept among its user’s last hundred, whatever others have', async () => {
    const world = await open();
    const [one, other] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
    const theirs = (await connect(world, other.jwt, SHOP)).body;
    await disconnect(world, other.jwt, theirs.id);
    await rowsOf(test, "UPDATE global_wallet_connections SET updated_at = now() - interval '1 d' WHERE id = $1", [
      theirs.id,
    ]);
    await rowsOf(
      test,
      `INSERT INTO global_wallet_connections (environment_id, id, user_id, app_url, expires_at, disconnected_at, updated_at)
       SELECT $1, gen_random_uuid(), $2, 'https://s' || n || '.example.org', $3, now(), now() - n * interval '1 min'
       FROM generate_series(1, 102) n`,
      [world.environmentId, one.userId, LATER],
    );
    await connect(world, one.jwt, SHOP);
    const kept = await rowsOf<{ url: string }>(
      test,
      `SELECT app_url AS url FROM global_wallet_connections
       WHERE user_id = $1 AND disconnected_at IS NOT NULL ORDER BY updated_at`,
      [one.userId],
    );
    expect([kept.length, kept[0]?.url]).toEqual([100, 'https://s100.example.org']);
    expect((await list(world, `userId=${other.userId}`)).map(({ id }) => id)).toEqual([theirs.id]);
  });

  it(`is ended once, though ${CALLERS} end it at once, and by nobody but its user`, async () => {
    const world = await open();
    const [one, other] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
    const { id } = (await connect(world, one.jwt, SHOP)).body;
    expect((await disconnect(world, other.jwt, id)).status).toBe(404);
    expect(await list(world, 'status=connected')).toHaveLength(1);
    const all = await Promise.all(Array.from({ length: CALLERS }, () => disconnect(world, one.jwt, id)));
    expect(all.map(({ status }) => status)).toEqual(Array<number>(CALLERS).fill(200));
    const ended = (await eventNames(world, id)).filter((name) => name.endsWith('.ended'));
    expect(ended).toHaveLength(1);
  });
});
