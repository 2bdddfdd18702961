import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UnitOfWork } from '../../src/database/index.js';
import { ExpiredTokensPurge } from '../../src/organizations/api-tokens/expired-tokens-purge.job.js';
import { ApiTokensRepository } from '../../src/organizations/api-tokens/api-tokens.repository.js';
import { ApiTokensService, PersonalTokensService } from '../../src/organizations/index.js';
import { PersonalTokensRepository } from '../../src/organizations/api-tokens/personal-tokens.repository.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { TestClient } from '../support/client.js';
import { joined } from '../support/invites.js';
import { eventually } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { countStatements } from '../support/statements.js';
import { Tenant } from '../support/surface/tenant.js';
import { World } from '../support/world.js';

describe('an API token', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await sharedTestApp();
  });
  afterAll(() => test.close());

  const tokenOf = async (environmentId: string): Promise<{ id: string; used: Date | null }> => {
    const sql = 'SELECT id, last_used_at AS used FROM api_tokens WHERE environment_id = $1 ORDER BY created_at DESC';
    return (await rowsOf<{ id: string; used: Date | null }>(test, sql, [environmentId]))[0]!;
  };

  it('of an instance without roles has its creator’s rights, before and after', async () => {
    const world = await World.create(test);
    const { userId } = await joined(world, 'viewer');
    const sql = 'UPDATE api_tokens SET created_by = $2, role = DEFAULT WHERE environment_id = $1';
    await rowsOf(test, sql, [world.environmentId, userId]);
    const make = async () => (await world.api.post(world.path('/exports'), { format: 'csv', model: 'users' })).status;
    await eventually('it is known as that of a viewer', async () => (await make()) === 403, 5_000);
    await rowsOf(test, "UPDATE members SET role = 'admin' WHERE user_id = $1", [userId]);
    await eventually('it is known as that of an admin', async () => (await make()) === 201, 5_000);
    // From the first change of its maker's role on, it has one of its own, which no later one raises.
    const [member] = await rowsOf<{ id: string }>(test, 'SELECT id FROM members WHERE user_id = $1', [userId]);
    for (const role of ['viewer', 'admin']) {
      await world.owner.put(`/members/${member!.id}`, { role }, { expect: 200 });
      expect(await make()).toBe(403);
    }
  });

  it('records its last use once for 50 concurrent calls', async () => {
    const world = await World.create(test);
    const { sent } = await countStatements(async () => {
      await Promise.all(Array.from({ length: 50 }, () => world.api.get(world.path('/users'), { expect: 200 })));
      await eventually('the use is noted', async () => (await tokenOf(world.environmentId)).used !== null);
    });
    expect(sent.filter(({ name }) => name === 'apiTokens.touch')).toHaveLength(1);
  });

  it.each([
    ['an API token', ApiTokensRepository, 'api_tokens'],
    ['a personal token', PersonalTokensRepository, 'personal_tokens'],
  ] as const)('records the use of %s once a minute, across all instances', async (_name, type, table) => {
    const world = await World.create(test);
    const environmentId = type === ApiTokensRepository ? world.environmentId : world.ids.consoleEnvironmentId;
    const sql = `SELECT id FROM ${table} WHERE environment_id = $1 ORDER BY created_at DESC LIMIT 1`;
    const [row] = await rowsOf<{ id: string }>(test, sql, [environmentId]);
    const token = { environmentId, tokenId: row!.id };
    const touch = () => test.app.get<ApiTokensRepository | PersonalTokensRepository>(type).touch(token);
    const written = await Promise.all(Array.from({ length: 50 }, touch));
    expect(written.filter((count) => count === 1)).toHaveLength(1);
    /** As if it had been used so long ago: within one transaction time stands still, however slow the machine is. */
    const touchedAfter = (seconds: number) =>
      test.app.get(UnitOfWork).run(async (tx) => {
        const sql = `UPDATE ${table} SET last_used_at = now() - make_interval(secs => $2) WHERE id = $1`;
        await tx.rows({ name: '', text: sql } as never, [token.tokenId, seconds]);
        return new type(tx as never).touch(token);
      });
    expect(await touchedAfter(60)).toBe(0);
    expect(await touchedAfter(60.001)).toBe(1);
  });

  it.each(['api_tokens', 'personal_tokens'])(
    'is removed from %s 30 days after it expired, and no sooner',
    async (table) => {
      const world = await World.create(test);
      const own =
        table === 'api_tokens' ? ['scopes, created_by', "'{}', gen_random_uuid()"] : ['user_id', 'gen_random_uuid()'];
      await rowsOf(
        test,
        `INSERT INTO ${table} (environment_id, id, token_hash, checksum, note, expires_at, ${own[0]})
       SELECT $1, gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), 'planted', n::text, now() - n * interval '1 hour', ${own[1]}
       FROM generate_series(-2, 1500) AS n`,
        [world.environmentId],
      );
      await test.app.get(ExpiredTokensPurge, { strict: false }).run();
      const sql = `SELECT max(note::int) AS oldest FROM ${table} WHERE environment_id = $1 AND checksum = 'planted'`;
      expect(await rowsOf(test, sql, [world.environmentId])).toEqual([{ oldest: 30 * 24 - 1 }]);
    },
  );

  it('passes on only its own scopes', async () => {
    const world = await World.create(test);
    const own = ['environment.apiTokens.write', 'environment.users.read'] as const;
    const client = new TestClient(test.url, await world.mint(own));
    const ask = (scopes: readonly string[], expect: number) =>
      client.post<{ code?: string; payload?: object }>(world.path('/tokens'), { note: 'n', scopes }, { expect });
    await ask(own, 201);
    await ask([], 201);
    const { body } = await ask([...own, 'environment.users.write'], 422);
    expect(body).toMatchObject({
      code: 'invalid_scopes',
      payload: { additionalMessages: ['environment.users.write'] },
    });
  });

  it('never creates a token that outlives it, of either kind', async () => {
    const world = await World.create(test);
    const scopes = ['environment.apiTokens.write'] as const;
    const expiryOf = async (id: string) =>
      (await rowsOf<{ at: Date }>(test, 'SELECT expires_at AS at FROM api_tokens WHERE id = $1', [id]))[0]!.at;
    await rowsOf(test, "UPDATE api_tokens SET expires_at = now() + interval '1 hour' WHERE environment_id = $1", [
      world.environmentId,
    ]);
    await rowsOf(test, "UPDATE personal_tokens SET expires_at = now() + interval '1 hour' WHERE user_id = $1", [
      world.ids.ownerUserId,
    ]);
    const path = world.path('/tokens');
    const byToken = await world.api.post<{ token: { id: string } }>(path, { note: 'next', scopes }, { expect: 201 });
    // A personal token is refused for want of a proof; what it would have made could not outlive it either.
    const [personal] = await rowsOf<{ id: string }>(test, 'SELECT id FROM personal_tokens WHERE user_id = $1', [
      world.ids.ownerUserId,
    ]);
    const { ownerUserId: createdBy, consoleEnvironmentId } = world.ids;
    const member = { kind: 'dashboardUser', userId: createdBy, consoleEnvironmentId, role: 'owner' } as const;
    const mint = () =>
      test.app
        .get(ApiTokensService)
        .mint(
          world.environmentId,
          { note: 'next', scopes: [...scopes], createdBy },
          { ...member, tokenId: personal!.id },
        );
    const byMember = await mint();
    for (const id of [byToken.body.token.id, byMember.id]) {
      const left = (await expiryOf(id)).getTime() - Date.now();
      expect(left).toBeLessThanOrEqual(3_600_000);
      expect(left).toBeGreaterThan(3_000_000);
    }
    await rowsOf(test, 'UPDATE personal_tokens SET expires_at = now() WHERE id = $1', [personal!.id]);
    await expect(mint()).rejects.toMatchObject({ status: 401 });
  });

  it('is refused in the very next call once it is deleted, of either kind', async () => {
    const world = await World.create(test);
    const session = await world.ownerSession();
    for (const [path, used] of [
      [world.path('/tokens'), world.path('/users')],
      ['/user/tokens', '/organizations'],
    ] as const) {
      const request = { note: 'n', ...(path === '/user/tokens' ? {} : { scopes: ['environment.users.read'] }) };
      const { body } = await session.post<{ token: { id: string; rawToken: string } }>(path, request, { expect: 201 });
      const client = new TestClient(test.url, body.token.rawToken);
      await client.get(used, { expect: 200 });
      await session.delete(`${path}/${body.token.id}`, { expect: 204 });
      await client.get(used, { expect: 401 });
    }
  });

  it('is refused, unlisted and not counted once it has expired, of either kind', async () => {
    const world = await World.create(test);
    const { ownerUserId, consoleEnvironmentId } = world.ids;
    const request = { note: 'old', scopes: ['environment.users.read' as const], createdBy: ownerUserId };
    const api = await test.app.get(ApiTokensService).mint(world.environmentId, request);
    const personal = await test.app.get(PersonalTokensService).mint(consoleEnvironmentId, ownerUserId, request);
    const environments = { api_tokens: world.environmentId, personal_tokens: consoleEnvironmentId };
    for (const [table, { id }] of Object.entries({ api_tokens: api, personal_tokens: personal })) {
      await rowsOf(test, `UPDATE ${table} SET expires_at = now() WHERE id = $1`, [id]);
      // As many as there may be.
      await rowsOf(
        test,
        `INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(),
           'token_hash', '\\x' || encode(sha256(n::text::bytea || uuid_send(t.id)), 'hex')))).*
         FROM ${table} t, generate_series(1, 50) n WHERE t.environment_id = $1 AND t.id = $2`,
        [environments[table as keyof typeof environments], id],
      );
    }
    const used = (raw: string, path: string) => new TestClient(test.url, raw).get(path);
    expect((await used(api.rawToken, world.path('/users'))).status).toBe(401);
    expect((await used(personal.rawToken, '/organizations')).status).toBe(401);
    const session = await world.ownerSession();
    for (const path of [world.path('/tokens'), '/user/tokens']) {
      const { body } = await session.get<{ tokens: { note: string }[] }>(path, { expect: 200 });
      expect(body.tokens.map(({ note }) => note)).toEqual(['test']);
      await session.post(path, { note: 'new' }, { expect: 201 });
    }
  });

  it('is limited to fifty live ones, also with sixty concurrent requests, of either kind', async () => {
    const world = await World.create(test);
    const session = await world.ownerSession();
    for (const path of [world.path('/tokens'), '/user/tokens']) {
      const answers = await Promise.all(
        Array.from({ length: 60 }, () => session.post<{ code?: string }>(path, { note: 'one of many' })),
      );
      // One was there before.
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(49);
      const refused = answers.filter(({ status }) => status !== 201);
      expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['too_many_api_tokens']));
    }
  });

  it('reaches its environment however the id is written, and no other one', async () => {
    const world = await World.create(test);
    const written = (id: string) => world.api.get(`/environments/${id.toUpperCase()}/users`);
    expect((await written(world.environmentId)).status).toBe(200);
    expect((await written(world.ids.environments.live)).status).toBe(404);
  });

  it('of a departing member is listed for owners only, before and afterwards, page by page', async () => {
    const tenant = await Tenant.create(test);
    try {
      const { world } = tenant;
      const { organizationId, environments } = world.ids;
      const [leaver, admin] = [await tenant.addMember('developer'), await tenant.addMember('admin')];
      const made: string[] = [];
      for (const environmentId of [environments.sandbox, environments.live, environments.live]) {
        const path = `/environments/${environmentId}/tokens`;
        const request = { note: 'ci', scopes: ['environment.users.read'] };
        const { body } = await leaver.client.post<{ token: { id: string } }>(path, request, { expect: 201 });
        made.unshift(body.token.id);
      }
      interface Page {
        cursor?: string;
        tokens: { id: string; createdByMember: boolean; createdBy: { id: string }; projectEnvironmentId: string }[];
      }
      const path = `/organizations/${organizationId}/tokens`;
      const list = async (query: string) => (await world.owner.get<Page>(`${path}?${query}`, { expect: 200 })).body;
      const ofLeaver = `createdBy=${leaver.userId}`;
      const before = await list(ofLeaver);
      expect(before.tokens.map(({ id }) => id)).toEqual(made);
      expect(before.tokens.map(({ projectEnvironmentId }) => projectEnvironmentId).toSorted()).toEqual(
        [environments.sandbox, environments.live, environments.live].toSorted(),
      );
      expect(before.tokens.every(({ createdByMember }) => createdByMember)).toBe(true);
      expect(JSON.stringify(before)).not.toContain('rawToken');
      expect((await list('left=true')).tokens).toEqual([]);

      await world.owner.delete(`/members/${leaver.id}?tokens=keep`, { expect: 204 });
      const first = await list(`left=true&limit=2`);
      const rest = await list(`left=true&limit=2&cursor=${first.cursor}`);
      expect([...first.tokens, ...rest.tokens].map(({ id }) => id)).toEqual(made);
      expect(rest).not.toHaveProperty('cursor');
      expect([...first.tokens, ...rest.tokens].some(({ createdByMember }) => createdByMember)).toBe(false);
      const own = (await list('left=false')).tokens;
      expect(own.length).toBeGreaterThan(0);
      expect(own.map(({ id }) => id).filter((id) => made.includes(id))).toEqual([]);

      const other = await World.create(test);
      // Who is a member somewhere else has left all the same.
      await rowsOf(
        test,
        "INSERT INTO members (organization_id, id, user_id, role) VALUES ($1, gen_random_uuid(), $2, 'viewer')",
        [other.ids.organizationId, leaver.userId],
      );
      expect((await list('left=true')).tokens.map(({ id }) => id)).toEqual(made);
      await rowsOf(test, 'UPDATE api_tokens SET expires_at = now() WHERE id = $1', [made[0]]);
      expect((await list(ofLeaver)).tokens.map(({ id }) => id)).toEqual(made.slice(1));
      await rowsOf(test, 'UPDATE environments SET deleted_at = now() WHERE id = $1', [environments.live]);
      expect((await list(ofLeaver)).tokens.map(({ id }) => id)).toEqual(made.slice(2));

      await other.owner.get(path, { expect: 404 });
      expect(
        (await other.owner.get<Page>(`/organizations/${other.ids.organizationId}/tokens?${ofLeaver}`)).body.tokens,
      ).toEqual([]);
      await world.anonymous.withToken(admin.token).get(path, { expect: 403 });
      await world.api.get(path, { expect: 403 });
    } finally {
      await tenant.close();
    }
  });
});
