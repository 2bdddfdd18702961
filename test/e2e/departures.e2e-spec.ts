import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UnitOfWork } from '../../src/database/index.js';
import { UsersService } from '../../src/identity/users/users.service.js';
import { Memberships, PersonalTokensService, SERVICE } from '../../src/organizations/index.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { auditOf, lastAudit } from '../support/audit.js';
import { TestClient } from '../support/client.js';
import { answer, inviteGuest, joined, listInvites, signInGuest, type Guest } from '../support/invites.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { Tenant } from '../support/surface/tenant.js';
import { World } from '../support/world.js';

describe('a dashboard user who is deleted', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await sharedTestApp();
  });
  afterAll(() => test.close());

  async function withTenant(work: (tenant: Tenant) => Promise<void>): Promise<void> {
    const tenant = await Tenant.create(test);
    await work(tenant).finally(() => tenant.close());
  }

  const remove = ({ world }: Tenant, userId: string): Promise<void> =>
    test.app.get(UsersService).delete(world.ids.consoleEnvironmentId, userId, SERVICE);
  const left = async (userId: string): Promise<number[]> => {
    const counts: number[] = [];
    for (const [table, column] of [
      ['users', 'id'],
      ['members', 'user_id'],
      ['personal_tokens', 'user_id'],
    ]) {
      const sql = `SELECT count(*)::int AS count FROM ${table} WHERE ${column} = $1`;
      counts.push((await rowsOf<{ count: number }>(test, sql, [userId]))[0]!.count);
    }
    return counts;
  };

  it('leaves all organizations and takes their personal tokens with them, with records and events', () =>
    withTenant(async (tenant) => {
      const { organizationId, consoleEnvironmentId } = tenant.world.ids;
      const member = await tenant.addMember('admin');
      expect(await left(member.userId)).toEqual([1, 1, 1]);
      const [{ id: tokenId }] = (await rowsOf<{ id: string }>(
        test,
        'SELECT id FROM personal_tokens WHERE user_id = $1',
        [member.userId],
      )) as [{ id: string }];
      const client = new TestClient(test.url, member.token);
      await client.get('/organizations', { expect: 200 });
      await remove(tenant, member.userId);
      expect(await left(member.userId)).toEqual([0, 0, 0]);
      await client.get('/organizations', { expect: 401 });
      expect(await lastAudit(test, organizationId, 'member.removed')).toMatchObject({
        actor: { kind: 'service' },
        resourceId: member.id,
        changes: { role: ['admin', null] },
      });
      expect((await eventsOf(test, consoleEnvironmentId, tokenId)).map(({ name }) => name)).toEqual([
        'personalToken.created',
        'personalToken.deleted',
      ]);
    }));

  it('loses the API tokens they created, and no others', () =>
    withTenant(async (tenant) => {
      const { world } = tenant;
      const member = await tenant.addMember('developer');
      const request = { note: 'ci', scopes: ['environment.users.read'] };
      const made = await member.client.post<{ token: { rawToken: string } }>(world.path('/tokens'), request, {
        expect: 201,
      });
      const theirs = new TestClient(test.url, made.body.token.rawToken);
      await theirs.get(world.path('/users'), { expect: 200 });
      await remove(tenant, member.userId);
      await theirs.get(world.path('/users'), { expect: 401 });
      await world.api.get(world.path('/users'), { expect: 200 });
    }));

  it('is kept, with everything, while an organization would be left without an owner', () =>
    withTenant(async (tenant) => {
      const { ownerUserId, organizationId } = tenant.world.ids;
      await expect(remove(tenant, ownerUserId)).rejects.toMatchObject({ status: 422, code: 'last_owner' });
      expect(await left(ownerUserId)).toEqual([1, 1, 2]);
      await tenant.world.owner.get(`/organizations/${organizationId}`, { expect: 200 });
      const other = await tenant.addMember('owner');
      await remove(tenant, other.userId);
      await tenant.addMember('owner');
      await remove(tenant, ownerUserId);
    }));

  it('is at most one of two owners, when both are deleted and one demotes the other concurrently, 20 times', () =>
    withTenant(async (tenant) => {
      const { organizationId } = tenant.world.ids;
      for (let trial = 0; trial < 20; trial += 1) {
        await tenant.db.query("UPDATE members SET role = 'viewer' WHERE organization_id = $1", [organizationId]);
        const [one, other] = [await tenant.addMember('owner'), await tenant.addMember('owner')];
        await Promise.allSettled([
          remove(tenant, one.userId),
          remove(tenant, other.userId),
          new TestClient(test.url, one.token).put(`/members/${other.id}`, { role: 'viewer' }),
        ]);
        const owners = await rowsOf(test, "SELECT id FROM members WHERE organization_id = $1 AND role = 'owner'", [
          organizationId,
        ]);
        expect(owners).toHaveLength(1);
      }
    }));

  it('cannot become a member during deletion: no membership outlives them, 20 times', () =>
    withTenant(async (tenant) => {
      const { organizationId } = tenant.world.ids;
      const [work, memberships] = [test.app.get(UnitOfWork), test.app.get(Memberships)];
      for (let trial = 0; trial < 20; trial += 1) {
        const { userId, id } = await tenant.addMember('viewer');
        await tenant.world.owner.delete(`/members/${id}`, { expect: 204 });
        await Promise.allSettled([
          remove(tenant, userId),
          work.run(async (tx) => {
            await memberships.admit(userId, tx);
            await memberships.join(organizationId, { userId, role: 'viewer' }, SERVICE, tx);
          }),
        ]);
        expect((await left(userId)).slice(0, 2)).toEqual([0, 0]);
      }
      await expect(work.run((tx) => memberships.admit(crypto.randomUUID(), tx))).rejects.toMatchObject({ status: 401 });
    }));

  it('makes no personal token during deletion that outlives them, 20 times', () =>
    withTenant(async (tenant) => {
      const { consoleEnvironmentId } = tenant.world.ids;
      for (let trial = 0; trial < 20; trial += 1) {
        const { userId } = await tenant.addMember('viewer');
        const make = () => test.app.get(PersonalTokensService).mint(consoleEnvironmentId, userId, { note: 'late' });
        const settled = await Promise.allSettled([make(), remove(tenant, userId), make(), make()]);
        const refusals = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
        for (const refusal of refusals) expect(refusal).toMatchObject({ status: 401 });
        expect(await left(userId)).toEqual([0, 0, 0]);
      }
    }));

  it('is named in no invite afterwards, whoever deleted them; those of others stay', () =>
    withTenant(async ({ world }) => {
      const { consoleEnvironmentId } = world.ids;
      const named = async (email: string): Promise<string[]> =>
        (
          await rowsOf<{ status: string }>(test, 'SELECT status FROM invites WHERE email = $1 ORDER BY status', [email])
        ).map(({ status }) => status);
      const stranger = await signInGuest(world);
      await inviteGuest(world, stranger);
      const wanted: [string, (person: Guest) => Promise<unknown>][] = [
        ['erased', ({ client }) => client.delete(`/sdk/${consoleEnvironmentId}/users`, { expect: 204 })],
        ['deleted', ({ userId }) => test.app.get(UsersService).delete(consoleEnvironmentId, userId, SERVICE)],
      ];
      for (const [how, go] of wanted) {
        const person = await joined(world, 'developer');
        for (const status of ['rejected', 'pending']) {
          const other = await World.create(test);
          const { id } = await inviteGuest(other, person);
          if (status === 'rejected') expect((await answer(person, id, status)).status).toBe(200);
        }
        expect([how, await named(person.email)]).toEqual([how, ['accepted', 'pending', 'rejected']]);
        const told = () =>
          rowsOf<{ subject: string | null }>(
            test,
            "SELECT subject_user_id AS subject FROM events WHERE environment_id = $1 AND data ->> 'email' = $2 AND name LIKE 'invite.%'",
            [consoleEnvironmentId, person.email],
          );
        expect((await told()).some(({ subject }) => subject !== person.userId)).toBe(true);
        await go(person);
        expect([how, await named(person.email)]).toEqual([how, []]);
        // About the person from now on, so that they are scrubbed with them; the trail has never had the address.
        expect((await told()).filter(({ subject }) => subject !== person.userId)).toEqual([]);
        expect(
          await rowsOf(test, 'SELECT 1 FROM audit_records WHERE changes::text LIKE $1', [`%${person.email}%`]),
        ).toEqual([]);
        const left = (await listInvites(world)).map(({ email }) => email);
        expect([left.includes(stranger.email), left.includes(person.email)]).toEqual([true, false]);
      }
    }));

  it('is not a user of another environment, whose record has the id and who deleted them', () =>
    withTenant(async (tenant) => {
      const { organizationId } = tenant.world.ids;
      const before = await auditOf(test, organizationId);
      await tenant.world.api.delete(tenant.world.path(`/users/${tenant.ids['userId']}`), { expect: 204 });
      const after = await auditOf(test, organizationId);
      expect(after.slice(0, before.length)).toEqual(before);
      expect(after.slice(before.length)).toMatchObject([
        { action: 'user.deleted', resourceId: tenant.ids['userId'], actor: { kind: 'apiToken' }, changes: {} },
      ]);
    }));
});
