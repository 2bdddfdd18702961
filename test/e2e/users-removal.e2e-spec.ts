import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import type { TestClient } from '../support/client.js';
import { listEvents } from '../support/events.js';
import { withClient } from '../support/postgres.js';
import { World, newEmail, type SignedIn } from '../support/world.js';

interface OneUser {
  user: Record<string, unknown> & { id: string };
}

/** Tables with rows of a user. */
const OWN_ROWS = ['users', 'credentials', 'identifier_claims', 'sessions', 'wallets'];

describe('users', () => {
  let test: TestApp;
  let world: World;
  const create = async (body: object = {}, owner = world) =>
    (await owner.api.post<OneUser>(owner.path('/users'), body, { expect: 201 })).body.user;
  const sessionOf = async ({ jwt }: SignedIn) =>
    (await world.anonymous.get(world.sdk('/session'), { token: jwt })).status;
  const rowsOf = (userId: string) =>
    withClient(test.databaseUrl, async (client) => {
      const left: string[] = [];
      for (const table of OWN_ROWS) {
        const column = table === 'users' ? 'id' : 'user_id';
        const sql = `SELECT FROM ${table} WHERE environment_id = $1 AND ${column} = $2`;
        if ((await client.query(sql, [world.environmentId, userId])).rowCount) left.push(table);
      }
      return left;
    });

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
  });
  afterAll(() => test.close());

  describe('are deleted', () => {
    it('with credentials, claims, sessions and wallets, and told once', async () => {
      const email = newEmail();
      const { body } = await world.api.post<OneUser>(world.path('/embeddedWallets'), {
        identifier: email,
        type: 'email',
      });
      const signedIn = await world.signIn(email);
      expect(signedIn.userId).toBe(body.user.id);
      expect(await sessionOf(signedIn)).toBe(204);
      expect(await rowsOf(signedIn.userId)).toEqual(OWN_ROWS);
      const before = await world.api.get<OneUser>(world.path(`/users/${signedIn.userId}`));

      await world.api.delete(world.path(`/users/${signedIn.userId}`), { expect: 204 });

      expect(await rowsOf(signedIn.userId)).toEqual([]);
      expect(await sessionOf(signedIn)).toBe(401);
      expect((await world.anonymous.post(world.sdk('/refresh'), undefined, { token: signedIn.jwt })).status).toBe(401);
      const told = await listEvents(world, 'user.deleted');
      const { sessions: _sessions, ...user } = before.body.user;
      expect(told).toMatchObject([{ resourceType: 'user', data: user }]);
    });

    it('and are not found afterwards by any operation', async () => {
      const { id } = await create({ email: newEmail() });
      await world.api.delete(world.path(`/users/${id}`), { expect: 204 });
      await world.api.get(world.path(`/users/${id}`), { expect: 404 });
      await world.api.put(world.path(`/users/${id}`), { alias: 'x' }, { expect: 404 });
      await world.api.delete(world.path(`/users/${id}`), { expect: 404 });
      await world.api.post(world.path(`/users/${id}/sessions/revoke`), undefined, { expect: 404 });
      await world.api.get(world.path(`/users/${id}/wallets`), { expect: 404 });
    });

    it('once, however many ask at the same time', async () => {
      const { id } = await create();
      const answers = await Promise.all(Array.from({ length: 10 }, () => world.api.delete(world.path(`/users/${id}`))));
      expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(9).fill(404)]);
      expect((await listEvents(world, 'user.deleted')).filter(({ data }) => data['id'] === id)).toHaveLength(1);
    });

    it('so that their email makes a new user, and their id can be given again', async () => {
      const first = await world.signIn(newEmail());
      await world.api.delete(world.path(`/users/${first.userId}`), { expect: 204 });
      const second = await world.signIn(first.email);
      expect(second.userId).not.toBe(first.userId);
      expect((await create({ id: first.userId })).id).toBe(first.userId);
    });

    it('but not from another environment', async () => {
      const other = await World.create(test);
      const { id } = await create({}, other);
      await world.api.delete(world.path(`/users/${id}`), { expect: 404 });
      await other.api.get(other.path(`/users/${id}`), { expect: 200 });
    });
  });

  describe('lose all sessions by one call', () => {
    it('and each end is told, while other users stay signed in', async () => {
      const [email, other] = [newEmail(), await world.signIn(newEmail())];
      const sessions = [await world.signIn(email), await world.signIn(email)];
      await world.api.post(world.path(`/users/${sessions[0]!.userId}/sessions/revoke`), undefined, { expect: 204 });
      for (const session of sessions) expect(await sessionOf(session)).toBe(401);
      expect(await sessionOf(other)).toBe(204);
      const told = (await listEvents(world, 'user.session.revoked')).map(({ data }) => data['id']);
      expect(told).toEqual(expect.arrayContaining(sessions.map(({ sessionId }) => sessionId)));
      expect(told).not.toContain(other.sessionId);
    });

    it('and a second call has no effect', async () => {
      const { userId } = await world.signIn(newEmail());
      const path = world.path(`/users/${userId}/sessions/revoke`);
      await world.api.post(path, undefined, { expect: 204 });
      const before = (await listEvents(world, 'user.session.revoked')).length;
      await world.api.post(path, undefined, { expect: 204 });
      expect(await listEvents(world, 'user.session.revoked')).toHaveLength(before);
      expect((await world.signIn(newEmail())).sessionId).toHaveLength(36);
    });

    it('shown as ended where the user is read', async () => {
      const { userId, sessionId } = await world.signIn(newEmail());
      await world.api.post(world.path(`/users/${userId}/sessions/revoke`), undefined, { expect: 204 });
      const { body } = await world.api.get<OneUser>(world.path(`/users/${userId}`));
      const { sessions } = body.user as OneUser['user'] & { sessions: Record<string, string>[] };
      expect(sessions).toMatchObject([{ id: sessionId, revokedAt: expect.any(String) }]);
    });
  });

  describe.each([
    ['an API token', (): TestClient => world.api],
    ['a member', (): TestClient => world.owner],
  ])('through the older paths, for %s', (_, client) => {
    it('answer the same, and say that the paths are deprecated', async () => {
      const { id } = await create({ email: newEmail(), alias: 'before' });
      const [now, older] = [world.path(`/users/${id}`), `/users/${id}`];

      const read = await client().get(older, { expect: 200 });
      expect(read.body).toEqual((await client().get(now, { expect: 200 })).body);
      expect(read.headers.get('deprecation')).toMatch(/^@\d+$/);
      expect((await client().get(now)).headers.get('deprecation')).toBeNull();

      const changed = await client().put<OneUser>(older, { alias: 'after' }, { expect: 200 });
      const again = await client().put<OneUser>(now, { alias: 'after' }, { expect: 200 });
      expect({ ...again.body.user, updatedAt: '' }).toEqual({ ...changed.body.user, updatedAt: '' });
      expect(changed.headers.get('deprecation')).not.toBeNull();
      expect((await client().put(older, { id: randomUUID() }, { expect: 422 })).body).toMatchObject({
        code: 'invalid_update',
      });

      const revoked = await client().post(`${older}/sessions/revoke`, undefined, { expect: 204 });
      expect(revoked.headers.get('deprecation')).not.toBeNull();
      const deleted = await client().delete(older, { expect: 204 });
      expect(deleted.headers.get('deprecation')).not.toBeNull();
      await client().get(older, { expect: 404 });
      await client().get(now, { expect: 404 });
    });

    it('are not found when they belong to somebody else', async () => {
      const other = await World.create(test);
      const { id } = await create({}, other);
      await client().get(`/users/${id}`, { expect: 404 });
      await client().delete(`/users/${id}`, { expect: 404 });
      await client().post(`/users/${id}/sessions/revoke`, undefined, { expect: 404 });
      await other.api.get(`/users/${id}`, { expect: 200 });
    });
  });
});
