import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { auditOf, lastAudit } from '../support/audit.js';
import { eventually } from '../support/receiver.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

interface Origin {
  id: string;
  origin: string;
  createdAt: string;
  projectEnvironmentId: string;
}

describe('allowed origins', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await sharedTestApp();
  });
  afterAll(() => test.close());

  const add = (world: World, origin: string, environmentId: string = world.environmentId) =>
    world.owner.post<{ origin: Origin; code: string; hint: string }>(`/environments/${environmentId}/origins`, {
      origin,
    });
  const list = async (world: World): Promise<string[]> => {
    const { body } = await world.api.get<{ origins: Origin[] }>(world.path('/origins'), { expect: 200 });
    return body.origins.map(({ origin }) => origin);
  };
  const fill = (world: World, count: number) =>
    rowsOf(
      test,
      `INSERT INTO origins (environment_id, id, origin)
       SELECT $1, gen_random_uuid(), 'https://s' || n || '.example.org' FROM generate_series(1, $2::int) n`,
      [world.environmentId, count],
    );

  it('are added as browsers send them, listed in the order in which they came, and deleted', async () => {
    const world = await World.create(test);
    const { body } = await world.api.post<{ origin: Origin }>(
      world.path('/origins'),
      { origin: 'https://APP.example.com:443' },
      { expect: 201 },
    );
    expect(body.origin).toEqual({
      id: expect.any(String),
      origin: 'https://app.example.com',
      createdAt: expect.any(String),
      projectEnvironmentId: world.environmentId,
    });
    await add(world, 'https://*.example.com');
    expect(await list(world)).toEqual(['https://app.example.com', 'https://*.example.com']);
    await world.api.delete(`/origins/${body.origin.id}`, { expect: 204 });
    await world.api.delete(`/origins/${body.origin.id}`, { expect: 404 });
    expect(await list(world)).toEqual(['https://*.example.com']);
  });

  it('leave an audit record and an event when created and deleted', async () => {
    const world = await World.create(test);
    const { id } = (await add(world, 'https://app.example.com')).body.origin;
    const { organizationId } = world.ids;
    expect(await lastAudit(test, organizationId, 'origin.created')).toMatchObject({
      actor: { kind: 'member', id: world.ids.ownerUserId },
      resourceType: 'origin',
      resourceId: id,
      environmentId: world.environmentId,
      changes: { origin: [null, 'https://app.example.com'] },
    });
    await world.owner.delete(`/origins/${id}`, { expect: 204 });
    expect(await lastAudit(test, organizationId, 'origin.deleted')).toMatchObject({
      changes: { origin: ['https://app.example.com', null] },
    });
    expect((await eventsOf(test, world.environmentId, id)).map(({ name, data }) => [name, data['origin']])).toEqual([
      ['origin.created', 'https://app.example.com'],
      ['origin.deleted', 'https://app.example.com'],
    ]);
  });

  it.each([
    ['https://*.com', 'wildcard'],
    ['https://*.vercel.app', 'wildcard'],
    ['https://app.*.com', 'wildcard'],
    ['http://app.example.com', 'localhost'],
    ['https://app.example.com:*', 'not an origin'],
    ['https://app.example.com.', 'browser'],
  ])('refuse %s with a code and what to do, and write nothing', async (origin, hint) => {
    const world = await World.create(test);
    const { status, body } = await add(world, origin);
    expect([status, body.code, body.hint]).toEqual([422, 'invalid_cors_origins', expect.stringContaining(hint)]);
    expect(await list(world)).toEqual([]);
    expect(await auditOf(test, world.ids.organizationId, { action: 'origin.created' })).toEqual([]);
  });

  it.each(['null', '*', 'https://app.example.com/', 'https://a b', 'ftp://example.com', 'file:///a', ''])(
    'refuse the text %p as invalid',
    async (origin) => {
      const world = await World.create(test);
      expect((await add(world, origin)).body.code).toBe('validation_failed');
      expect((await add(world, origin)).status).toBe(400);
    },
  );

  it('admit plain http of localhost in the sandbox and nowhere else', async () => {
    const world = await World.create(test);
    const { live, sandbox } = world.ids.environments;
    expect((await add(world, 'http://localhost:5173', sandbox)).status).toBe(201);
    expect((await add(world, 'http://localhost:5173', live)).body.code).toBe('invalid_cors_origins');
    expect((await add(world, 'https://localhost:5173', live)).status).toBe(201);
  });

  it('exist once, if the same is added 50 times concurrently', async () => {
    const world = await World.create(test);
    const answers = await Promise.all(Array.from({ length: 50 }, () => add(world, 'https://app.example.com')));
    const codes = answers.map(({ status, body }) => (status === 201 ? status : body.code));
    expect(codes.filter((code) => code === 201)).toHaveLength(1);
    expect(codes.filter((code) => code === 'duplicate_exists')).toHaveLength(49);
    expect(await auditOf(test, world.ids.organizationId, { action: 'origin.created' })).toHaveLength(1);
  });

  it('are limited to 100, with 50 concurrent requests', async () => {
    const world = await World.create(test);
    await fill(world, 98);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => add(world, `https://x${n}.example.com`)));
    const codes = answers.map(({ status, body }) => (status === 201 ? status : body.code));
    expect(codes.filter((code) => code === 201)).toHaveLength(2);
    expect(codes.filter((code) => code === 'too_many_origins')).toHaveLength(48);
    expect(await list(world)).toHaveLength(100);
  });

  it('are deleted once by 50 concurrent requests', async () => {
    const world = await World.create(test);
    const { id } = (await add(world, 'https://app.example.com')).body.origin;
    const answers = await Promise.all(Array.from({ length: 50 }, () => world.api.delete(`/origins/${id}`)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(49);
    expect(await auditOf(test, world.ids.organizationId, { action: 'origin.deleted' })).toHaveLength(1);
  });

  describe('that are deleted', () => {
    const [SHOP, BANK] = ['https://shop.example.com', 'https://bank.example.com'];
    const signInAt = (world: World, origin: string | null, environmentId: string = world.environmentId) =>
      world.signIn(newEmail(), { environmentId, ...(origin !== null && { headers: { origin } }) });
    const statusOf = async (url: string, world: World, token: string, method = 'GET', rest = '/session') =>
      (await fetch(`${url}/api/v0${world.sdk(rest)}`, { method, headers: { authorization: `Bearer ${token}` } }))
        .status;

    it('take the tokens of their pages with them, of every kind, and nobody else’s', async () => {
      const world = await World.create(test);
      const { id } = (await add(world, SHOP)).body.origin;
      await add(world, BANK);
      const [shop, bank, server] = await Promise.all([SHOP, BANK, null].map((origin) => signInAt(world, origin)));
      const own = [shop!.jwt, shop!.minifiedJwt];
      for (const token of [...own, bank!.jwt, server!.jwt]) expect(await statusOf(test.url, world, token)).toBe(204);

      await world.owner.delete(`/origins/${id}`, { expect: 204 });
      for (const token of own) {
        expect(await statusOf(test.url, world, token)).toBe(401);
        expect(await statusOf(test.url, world, token, 'POST', '/refresh')).toBe(401);
        expect(await statusOf(test.url, world, token, 'GET', '/users')).toBe(401);
      }
      for (const token of [bank!.jwt, server!.jwt]) expect(await statusOf(test.url, world, token)).toBe(204);

      // The session itself did not end: its site is taken back, and so are they.
      await add(world, SHOP);
      for (const token of own) expect(await statusOf(test.url, world, token)).toBe(204);
    });

    it('are gone for other instances within a second, and for members of the console as well', async () => {
      const world = await World.create(test);
      const consoleEnvironmentId = world.ids.consoleEnvironmentId;
      const page = `https://console-${world.environmentId}.example.com`;
      await rowsOf(test, 'INSERT INTO origins (environment_id, id, origin) VALUES ($1, gen_random_uuid(), $2)', [
        consoleEnvironmentId,
        page,
      ]);
      const { id } = (await add(world, SHOP)).body.origin;
      const other = await startTestApp({ env: { ROLE: 'api' } });
      try {
        const { jwt } = await signInAt(world, SHOP);
        expect(await statusOf(other.url, world, jwt)).toBe(204);
        await world.owner.delete(`/origins/${id}`, { expect: 204 });
        await eventually('the other instance refuses', async () => (await statusOf(other.url, world, jwt)) === 401);

        const member = await eventually('the console admits its page', async () => {
          const signedIn = await signInAt(world, page, consoleEnvironmentId);
          return signedIn.headers.get('access-control-allow-origin') === page ? signedIn : null;
        });
        const client = world.anonymous.withToken(member.jwt);
        await client.get('/organizations', { expect: 200 });
        await rowsOf(test, 'DELETE FROM origins WHERE environment_id = $1 AND origin = $2', [
          consoleEnvironmentId,
          page,
        ]);
        await eventually('the console refuses', async () => (await client.get('/organizations')).status === 401);
      } finally {
        await other.close();
      }
    });
  });

  it('of others cannot be deleted: by a token of another environment, nor by a member of another organization', async () => {
    const [world, other] = [await World.create(test), await World.create(test)];
    const { id } = (await add(world, 'https://app.example.com')).body.origin;
    await other.api.delete(`/origins/${id}`, { expect: 404 });
    await other.owner.delete(`/origins/${id}`, { expect: 404 });
    const live = await world.mint(['environment.settings.write'], world.ids.environments.live);
    await world.anonymous.withToken(live).delete(`/origins/${id}`, { expect: 404 });
    const reader = await world.mint(['environment.settings.read']);
    await world.anonymous.withToken(reader).delete(`/origins/${id}`, { expect: 403 });
    expect(await list(world)).toEqual(['https://app.example.com']);
  });
});
