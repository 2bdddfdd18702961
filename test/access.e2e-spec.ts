import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestApp, type TestApp } from './support/app.js';
import { TestClient } from './support/client.js';
import { makeCallers, type Caller } from './support/surface/callers.js';
import { isDestructive, operations, recordName, type ApiOperation } from './support/surface/operations.js';
import { faultsOfRefusal } from './support/surface/error-answer.js';
import { RawClient, type RawAnswer } from './support/surface/raw-client.js';
import type { RecordIds } from './support/surface/records.js';
import { serviceSurface } from './support/surface/registry.js';
import { Tenant } from './support/surface/tenant.js';
import { validRequest } from './support/surface/valid-call.js';
import type { Verdict } from './support/surface/verdict.js';
import { newEmail, type SignedIn } from './support/world.js';

describe('access', () => {
  let test: TestApp;
  let tenant: Tenant;
  let stranger: Tenant;
  let callers: Caller[];
  let client: RawClient;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    tenant = await Tenant.create(test);
    stranger = await Tenant.create(test);
    callers = await makeCallers(tenant, stranger);
    client = new RawClient(test.url);
  });

  afterAll(async () => {
    client.close();
    await tenant.close();
    await stranger.close();
    await test.close();
  });

  describe('of every operation', () => {
    /** Records that the call may use up; the caller's own where records belong to people. */
    async function recordsFor(operation: ApiOperation, caller: Caller, verdict: Verdict): Promise<RecordIds> {
      const last = operation.pathParams.at(-1);
      if (!last || last === 'environmentId') return {};
      const name = recordName(operation, last);
      if (!serviceSurface.records[name]?.ofPerson && (verdict !== 'success' || !isDestructive(operation))) return {};
      return { [name]: await tenant.makeRecord(name, caller.userId) };
    }

    async function call(operation: ApiOperation, caller: Caller, verdict: Verdict): Promise<RawAnswer> {
      const { body, query = '' } = await validRequest(tenant, operation);
      const token = await caller.token(operation);
      const asked = caller.inQuery ? `access_token=${token}&token=${token}&apiKey=${token}&jwt=${token}` : query;
      return client.send({
        method: operation.method,
        path: `${tenant.pathOf(operation, await recordsFor(operation, caller, verdict))}${asked && `?${asked}`}`,
        token: caller.inQuery ? null : token,
        body: body === undefined ? undefined : JSON.stringify(body),
      });
    }

    function fault(verdict: Verdict, answer: RawAnswer): string | null {
      const { status } = answer;
      if (verdict === 'success') return status < 300 ? null : `expected a success, got ${status} ${answer.text}`;
      if (verdict === 'open') {
        return [401, 403, 404].includes(status) || status >= 500 ? `expected no guard, got ${status}` : null;
      }
      if (!verdict.includes(status)) return `expected ${verdict.join(' or ')}, got ${status} ${answer.text}`;
      if (status === 401 && answer.headers['www-authenticate'] === undefined) return 'no WWW-Authenticate header';
      return faultsOfRefusal(answer).join(', ') || null;
    }

    it.each(operations.map((operation) => [operation.title, operation] as const))(
      '%s answers whom the document names, and nobody else',
      async (_title, operation) => {
        const faults: string[] = [];
        for (const caller of callers) {
          const verdict = operation.surface.callers?.[caller.name] ?? caller.verdict(operation);
          const answer = await call(operation, caller, verdict);
          const found = fault(verdict, answer);
          if (found) faults.push(`${caller.name}: ${found}`);
          if (!operation.statuses.includes(answer.status))
            faults.push(`${caller.name}: ${answer.status} is not documented`);
        }
        expect(faults).toEqual([]);
      },
    );
  });

  describe('by another way of writing the path', () => {
    const guarded = operations.filter(({ audience }) => audience !== 'public');
    const variants: [string, (path: string) => string][] = [
      ['an escaped letter', (path) => path.replace('/api/', '/%61pi/')],
      [
        'every letter escaped',
        (path) => path.replaceAll(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
      ],
      ['a doubly escaped letter', (path) => path.replace('/api/', '/%2561pi/')],
      ['an escaped slash', (path) => path.replace('/v0/', '/v0%2f')],
      ['a slash twice at the front', (path) => `/${path}`],
      ['slashes twice', (path) => path.replaceAll('/', '//')],
      ['a backslash', (path) => path.replace('/v0/', '\\v0\\')],
      ['a dot segment', (path) => path.replace('/v0/', '/./v0/')],
      ['a double dot segment', (path) => path.replace('/v0/', '/v0/docs/../')],
      ['an escaped double dot segment', (path) => path.replace('/v0/', '/v0/docs/%2e%2e/')],
      ['a public path before a double dot', (path) => `/api/v0/sdk/x/nonce/../../../../..${path}`],
      ['capitals', (path) => path.replace(/^\/api\/v0\/\w+/, (start) => start.toUpperCase())],
      ['all in capitals', (path) => path.toUpperCase()],
      ['a slash at the end', (path) => `${path}/`],
      ['slashes at the end', (path) => `${path}///`],
      ['a dot at the end', (path) => `${path}/.`],
      ['an escaped space at the end', (path) => `${path}%20`],
      ['an escaped NUL at the end', (path) => `${path}%00`],
      ['path parameters', (path) => `${path};a=b`],
      ['a suffix', (path) => `${path}.json`],
      ['a broken escape', (path) => `${path}%`],
      ['a whole address', (path) => `http://other.example${path}`],
      ['a fragment', (path) => `${path}#/nonce`],
      ['an empty query', (path) => `${path}?`],
    ];
    const headers = {
      'x-http-method-override': 'GET',
      'x-original-url': '/api/v0/sdk/x/nonce',
      'x-rewrite-url': '/health',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'localhost',
      'x-environment-id': 'any',
    };

    it.each(guarded.map((operation) => [operation.title, operation] as const))(
      '%s is not reached without a credential',
      async (_title, operation) => {
        const { body } = await validRequest(tenant, operation);
        const path = tenant.pathOf(operation);
        const tries = variants.map(([name, write]) => ({ name, path: write(path), method: operation.method }));
        if (operation.method === 'GET') tries.push({ name: 'HEAD', path, method: 'HEAD' });
        tries.push({ name: 'headers of proxies', path, method: operation.method });
        const answers = await Promise.all(
          tries.map(async ({ name, ...request }) => {
            const content = body === undefined ? undefined : JSON.stringify(body);
            const { status, text } = await client.send({ ...request, headers, body: content });
            return { name, path: request.path, status, text };
          }),
        );
        expect(answers.filter(({ status }) => ![400, 401, 403, 404].includes(status))).toEqual([]);
      },
    );
  });

  describe('that is taken away', () => {
    let other: TestApp;
    let here: TestClient;
    let there: TestClient;

    beforeAll(async () => {
      const { databaseUrl, masterKey } = test;
      other = await startTestApp({ databaseUrl, masterKey, env: { ROLE: 'api' } });
      here = new TestClient(test.url);
      there = new TestClient(other.url);
    });
    afterAll(() => other.close());

    /** The statuses of one call on both instances, made until each is as awaited or a second is over. */
    async function withinOneSecond(token: string, path: string, awaited: number): Promise<number[]> {
      const deadline = performance.now() + 1_000;
      for (;;) {
        const calls = [here, there].map((client) => client.withToken(token).get(path));
        const statuses = (await Promise.all(calls)).map(({ status }) => status);
        if (statuses.every((status) => status === awaited) || performance.now() > deadline) return statuses;
        await delay(20);
      }
    }

    /** Both instances have seen the token and remember what they may remember of it. */
    async function known(token: string, path: string): Promise<void> {
      for (const client of [here, there]) await client.withToken(token).get(path);
      const answers = await Promise.all([here, there].map((client) => client.withToken(token).get(path)));
      expect(answers.map(({ status }) => status < 300)).toEqual([true, true]);
    }

    it('with an API token ends on every instance within a second', async () => {
      const { world } = tenant;
      const { body } = await world.api.post<{ token: { id: string; rawToken: string } }>(
        world.path('/tokens'),
        { note: 'short', scopes: ['environment.users.read'] },
        { expect: 201 },
      );
      await known(body.token.rawToken, world.path('/users'));
      await world.api.delete(world.path(`/tokens/${body.token.id}`), { expect: 204 });
      expect(await withinOneSecond(body.token.rawToken, world.path('/users'), 401)).toEqual([401, 401]);
    });

    it('with a personal token ends on every instance within a second', async () => {
      const { owner } = tenant.world;
      const { body } = await owner.post<{ token: { id: string; rawToken: string } }>(
        '/user/tokens',
        { note: 'short' },
        { expect: 201 },
      );
      await known(body.token.rawToken, '/organizations');
      await owner.delete(`/user/tokens/${body.token.id}`, { expect: 204 });
      expect(await withinOneSecond(body.token.rawToken, '/organizations', 401)).toEqual([401, 401]);
    });

    it('with a membership ends on every instance within a second, and so does what a role allowed', async () => {
      const { userId, token } = await tenant.addMember('admin');
      const path = tenant.world.path('/tokens');
      await known(token, path);
      await tenant.db.query("UPDATE members SET role = 'viewer' WHERE user_id = $1", [userId]);
      expect(await withinOneSecond(token, path, 403)).toEqual([403, 403]);
      await tenant.db.query('DELETE FROM members WHERE user_id = $1', [userId]);
      expect(await withinOneSecond(token, path, 404)).toEqual([404, 404]);
    });

    it.each<[string, (signedIn: SignedIn) => Promise<unknown>]>([
      [
        'a session that its user revokes',
        ({ jwt }) => here.withToken(jwt).post(tenant.world.sdk('/revoke'), undefined, { expect: 204 }),
      ],
      [
        'a session that the application revokes',
        ({ userId }) =>
          tenant.world.api.post(tenant.world.path(`/users/${userId}/sessions/revoke`), undefined, { expect: 204 }),
      ],
      [
        'a user who is deleted',
        ({ userId }) => tenant.world.api.delete(tenant.world.path(`/users/${userId}`), { expect: 204 }),
      ],
    ])('with %s ends on every instance at once', async (_name, end) => {
      const signedIn = await tenant.world.signIn(newEmail());
      const path = tenant.world.sdk('/session');
      for (const token of [signedIn.jwt, signedIn.minifiedJwt]) await known(token, path);
      await end(signedIn);
      for (const token of [signedIn.jwt, signedIn.minifiedJwt]) {
        for (const client of [there, here]) await client.withToken(token).get(path, { expect: 401 });
      }
    });

    it('with a session of the console ends on every instance at once', async () => {
      const { world } = tenant;
      const environmentId = world.ids.consoleEnvironmentId;
      const { jwt } = await world.signIn(world.ownerEmail, { environmentId });
      await known(jwt, '/organizations');
      await here.withToken(jwt).post(world.sdk('/revoke', environmentId), undefined, { expect: 204 });
      for (const client of [there, here]) await client.withToken(jwt).get('/organizations', { expect: 401 });
    });
  });
});
