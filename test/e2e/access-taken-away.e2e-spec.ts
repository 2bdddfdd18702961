import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { TestClient } from '../support/client.js';
import { knownWithin } from '../support/known-within.js';
import { Tenant } from '../support/surface/tenant.js';
import { newEmail, type SignedIn } from '../support/world.js';

/** A second, and what a clock of whole milliseconds adds to it. */
const WITHIN_MS = 1_100;

describe('access that is taken away', () => {
  let test: TestApp;
  let tenant: Tenant;
  let other: TestApp;
  let here: TestClient;
  let there: TestClient;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    tenant = await Tenant.create(test);
    const { databaseUrl, masterKey } = test;
    other = await startTestApp({ databaseUrl, masterKey, env: { ROLE: 'api' } });
    here = new TestClient(test.url);
    there = new TestClient(other.url);
  });
  afterAll(async () => {
    await other.close();
    await tenant.close();
    await test.close();
  });

  /** The statuses of one call on both instances, as they are a second later at the latest. */
  const withinOneSecond = (token: string, path: string, awaited: number): Promise<number[]> =>
    knownWithin(
      WITHIN_MS,
      async () => {
        const calls = [here, there].map((client) => client.withToken(token).get(path));
        return (await Promise.all(calls)).map(({ status }) => status);
      },
      (statuses) => statuses.every((status) => status === awaited),
    );

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
    const { body } = await (
      await tenant.world.ownerSession()
    ).post<{ token: { id: string; rawToken: string } }>('/user/tokens', { note: 'short' }, { expect: 201 });
    await known(body.token.rawToken, '/organizations');
    await owner.delete(`/user/tokens/${body.token.id}`, { expect: 204 });
    expect(await withinOneSecond(body.token.rawToken, '/organizations', 401)).toEqual([401, 401]);
  });

  it('with a membership ends on every instance within a second, as does what a role allowed', async () => {
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
