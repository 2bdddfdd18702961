import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ROLES, TOKEN_SCOPES, type Role } from '../../src/auth/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { auditOf, lastAudit } from '../support/audit.js';
import { TestClient } from '../support/client.js';
import { answer, inviteGuest, joined, listInvites, invite } from '../support/invites.js';
import { waitingForMe } from '../support/lock-waits.js';
import { withClient } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { eventsOf, fillRows, rowsOf } from '../support/rows.js';
import { countStatements } from '../support/statements.js';
import { Tenant, type Member } from '../support/surface/tenant.js';
import { newEmail } from '../support/world.js';

interface ListedMember {
  id: string;
  role: Role;
  user: { id: string; email?: string } & Record<string, unknown>;
}

describe('members', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await sharedTestApp();
  });
  afterAll(() => test.close());

  async function withTenant<T>(work: (tenant: Tenant) => Promise<T>): Promise<T> {
    const tenant = await Tenant.create(test);
    try {
      return await work(tenant);
    } finally {
      await tenant.close();
    }
  }

  const as = ({ token, client }: { token: string; client?: TestClient }): TestClient =>
    client ?? new TestClient(test.url, token);
  const rolesOf = async ({ world }: Tenant): Promise<Role[]> =>
    (
      await rowsOf<{ role: Role }>(test, 'SELECT role FROM members WHERE organization_id = $1', [
        world.ids.organizationId,
      ])
    ).map(({ role }) => role);
  const ownMember = async ({ world }: Pick<Tenant, 'world'>, userId = world.ids.ownerUserId): Promise<string> =>
    (
      await rowsOf<{ id: string }>(test, 'SELECT id FROM members WHERE organization_id = $1 AND user_id = $2', [
        world.ids.organizationId,
        userId,
      ])
    )[0]!.id;
  const list = async (client: TestClient, { world }: Tenant): Promise<{ count: number; members: ListedMember[] }> =>
    (
      await client.get<{ count: number; members: ListedMember[] }>(
        `/organizations/${world.ids.organizationId}/members`,
        { expect: 200 },
      )
    ).body;

  describe('are listed', () => {
    it('with their roles, names and email, and nothing else of the person, to every member', () =>
      withTenant(async (tenant) => {
        const viewer = await tenant.addMember('viewer');
        const { count, members } = await list(as(viewer), tenant);
        expect(count).toBe(members.length);
        const shown = members.find(({ id }) => id === viewer.id);
        const { consoleEnvironmentId } = tenant.world.ids;
        expect(shown).toEqual({
          id: viewer.id,
          role: 'viewer',
          user: { id: viewer.userId, email: viewer.email, projectEnvironmentId: consoleEnvironmentId },
        });
        expect(members[0]).toMatchObject({ role: 'owner', user: { email: tenant.world.ownerEmail } });
      }));

    it('with three statements and an index, whether 1 or 1000 among 100 000 others', () =>
      withTenant(async (tenant) => {
        const { organizationId } = tenant.world.ids;
        const counted = async () => {
          const call = () => list(tenant.world.owner, tenant);
          const { sent } = await countStatements(call, call);
          return sent.map(({ name }) => name).filter((name) => !name.startsWith('personalTokens'));
        };
        const few = await counted();
        expect(few).toEqual(['members.findMembership', 'members.list', 'users.listPeople']);
        await fillRows(
          test,
          `INSERT INTO members (organization_id, id, user_id, role)
           SELECT $1, gen_random_uuid(), gen_random_uuid(), 'viewer'
           FROM generate_series(1, 1000 - (SELECT count(*) FROM members WHERE organization_id = $1))`,
          [organizationId],
        );
        await fillRows(
          test,
          `WITH o AS (INSERT INTO organizations (id, name) SELECT gen_random_uuid(), 'many' FROM generate_series(1, 100) RETURNING id)
           INSERT INTO members (organization_id, id, user_id, role)
           SELECT o.id, gen_random_uuid(), gen_random_uuid(), 'viewer' FROM o, generate_series(1, 1000)`,
        );
        await rowsOf(test, 'ANALYZE members');
        expect(await counted()).toEqual(few);
        expect((await list(tenant.world.owner, tenant)).count).toBe(1000);
        const plan = await rowsOf<{ 'QUERY PLAN': string }>(
          test,
          `EXPLAIN SELECT id, user_id AS "userId", role FROM members WHERE organization_id = $1 ORDER BY id LIMIT 1000`,
          [organizationId],
        );
        const text = plan.map((line) => line['QUERY PLAN']).join('\n');
        expect(text).toContain('members_of_organization');
        expect(text).not.toContain('Seq Scan');
      }));
  });

  describe('are given a role', () => {
    it('which limits their API tokens, whatever the scopes, and lowers existing ones', () =>
      withTenant(async (tenant) => {
        const { world } = tenant;
        const member = await tenant.addMember('developer');
        const request = { note: 'ci', scopes: TOKEN_SCOPES.values };
        const make = async (client: TestClient): Promise<TestClient> => {
          const { body } = await client.post<{ token: { rawToken: string } }>(world.path('/tokens'), request, {
            expect: 201,
          });
          return as({ token: body.token.rawToken });
        };
        const own = await make(as(member));
        const asked = { model: 'users', format: 'csv' };
        for (const client of [own, await make(own)]) {
          await client.get(world.path('/users'), { expect: 200 });
          const { body } = await client.post<{ hint: string }>(world.path('/exports'), asked, { expect: 403 });
          expect(body.hint).toBe('Whoever made the API token is developer; this needs admin.');
          await client.delete(`/users/${member.userId}/mfa`, { expect: 403 });
        }
        const ofOwner = await make(world.owner);
        await ofOwner.post(world.path('/exports'), asked, { expect: 201 });

        for (const role of ['viewer', 'admin']) {
          await world.owner.put(`/members/${member.id}`, { role }, { expect: 200 });
          await own.get(world.path('/users'), { expect: 200 });
          await own.put(world.path(''), { general: { displayName: role } }, { expect: 403 });
        }
        await ofOwner.put(world.path(''), { general: { displayName: 'mine' } }, { expect: 200 });
      }));

    it('that applies from the next call on, with a record and an event', () =>
      withTenant(async (tenant) => {
        const { organizationId, consoleEnvironmentId, ownerUserId } = tenant.world.ids;
        const member = await tenant.addMember('viewer');
        const { body } = await tenant.world.owner.put<{ member: ListedMember }>(
          `/members/${member.id}`,
          { role: 'admin' },
          { expect: 200 },
        );
        expect(body.member).toMatchObject({ id: member.id, role: 'admin', user: { email: member.email } });
        await as(member).get(`/organizations/${organizationId}/audit`, { expect: 200 });
        expect(await lastAudit(test, organizationId, 'member.updated')).toMatchObject({
          actor: { kind: 'member', id: ownerUserId },
          resourceType: 'member',
          resourceId: member.id,
          changes: { role: ['viewer', 'admin'] },
        });
        const told = (await eventsOf(test, consoleEnvironmentId, member.id)).at(-1);
        expect(told).toMatchObject({
          name: 'member.updated',
          data: { id: member.id, userId: member.userId, role: 'admin', organizationId },
        });
      }));

    it('by those whom the rules allow, and by nobody else: every role on every role into every role', () =>
      withTenant(async (tenant) => {
        const actors = new Map<Role, Member>();
        for (const role of ROLES.values) actors.set(role, await tenant.addMember(role));
        const member = await tenant.addMember('viewer');
        const rank = (role: Role): number => ROLES.values.indexOf(role);
        for (const actor of ROLES.values) {
          for (const before of ROLES.values) {
            for (const role of ROLES.values) {
              await tenant.db.query('UPDATE members SET role = $2 WHERE id = $1', [member.id, before]);
              const { status } = await as(actors.get(actor)!).put(`/members/${member.id}`, { role });
              const may = rank(actor) <= rank('admin') && rank(actor) <= rank(before) && rank(actor) <= rank(role);
              expect([actor, before, role, status]).toEqual([actor, before, role, may ? 200 : 403]);
            }
          }
        }
      }));

    it('not without one, and without a trace if unchanged', () =>
      withTenant(async (tenant) => {
        const member = await tenant.addMember('developer');
        for (const body of [{}, { role: 'developer' }]) {
          await tenant.world.owner.put(`/members/${member.id}`, body, { expect: 200 });
        }
        for (const role of ['root', '', null, 7]) {
          await tenant.world.owner.put(`/members/${member.id}`, { role }, { expect: 400 });
        }
        expect(await auditOf(test, tenant.world.ids.organizationId, { resourceId: member.id })).toEqual([]);
      }));

    it('never so that no owner remains', () =>
      withTenant(async (tenant) => {
        const id = await ownMember(tenant);
        const { body } = await tenant.world.owner.put<{ code: string }>(
          `/members/${id}`,
          { role: 'admin' },
          { expect: 422 },
        );
        expect(body.code).toBe('last_owner');
        await tenant.addMember('owner');
        await tenant.world.owner.put(`/members/${id}`, { role: 'viewer' }, { expect: 200 });
      }));
  });

  describe('are removed', () => {
    it('at once, with a record and an event, and with their tokens', () =>
      withTenant(async (tenant) => {
        const { organizationId, consoleEnvironmentId } = tenant.world.ids;
        const member = await tenant.addMember('developer');
        const { body } = await as(member).post<{ token: { rawToken: string } }>(
          tenant.world.path('/tokens'),
          { note: 'ci', scopes: ['environment.users.read'] },
          { expect: 201 },
        );
        const made = as({ token: body.token.rawToken });
        await made.get(tenant.world.path('/users'), { expect: 200 });
        await tenant.world.owner.delete(`/members/${member.id}`, { expect: 204 });
        await as(member).get(`/organizations/${organizationId}`, { expect: 404 });
        await made.get(tenant.world.path('/users'), { expect: 401 });
        const revoked = await lastAudit(test, organizationId, 'apiToken.deleted');
        expect(revoked).toMatchObject({ actor: { kind: 'member', id: tenant.world.ids.ownerUserId } });
        expect(JSON.stringify(revoked)).toContain(member.userId);
        // Of everybody else nothing is taken.
        await tenant.world.api.get(tenant.world.path('/users'), { expect: 200 });
        expect(await lastAudit(test, organizationId, 'member.removed')).toMatchObject({
          resourceId: member.id,
          changes: { role: ['developer', null], userId: [member.userId, null] },
        });
        const told = (await eventsOf(test, consoleEnvironmentId, member.id)).at(-1);
        expect(told).toMatchObject({ name: 'member.removed', data: { userId: member.userId, organizationId } });
        await tenant.world.owner.delete(`/members/${member.id}`, { expect: 404 });
      }));

    it('without their tokens if somebody keeps these on purpose', () =>
      withTenant(async (tenant) => {
        const member = await tenant.addMember('developer');
        const path = tenant.world.path('/tokens');
        const request = { note: 'ci', scopes: ['environment.users.read'] };
        const { body } = await as(member).post<{ token: { rawToken: string } }>(path, request, { expect: 201 });
        await tenant.world.owner.delete(`/members/${member.id}?tokens=keep`, { expect: 204 });
        await as({ token: body.token.rawToken }).get(tenant.world.path('/users'), { expect: 200 });
      }));

    it('with tokens that do no more than the role in which their maker returns', () =>
      withTenant(async ({ world }) => {
        const maker = await joined(world, 'admin');
        const scopes = ['environment.users.read', 'environment.users.write'];
        const path = world.path('/tokens');
        const made = await maker.client.post<{ token: { rawToken: string } }>(
          path,
          { note: 'ci', scopes },
          { expect: 201 },
        );
        const token = as({ token: made.body.token.rawToken });
        const memberId = await ownMember({ world }, maker.userId);
        await world.owner.delete(`/members/${memberId}?tokens=keep`, { expect: 204 });
        await token.post(world.path('/users'), { email: newEmail() }, { expect: 201 });
        const invited = await inviteGuest(world, maker, 'viewer');
        expect((await answer(maker, invited.id, 'accepted')).status).toBe(200);
        await token.post(world.path('/users'), { email: newEmail() }, { expect: 403 });
        await token.get(world.path('/users'), { expect: 200 });
      }));

    it('together with the invites to their other addresses, of this organization alone', () =>
      withTenant((theirs) =>
        withTenant(async ({ world }) => {
          const { organizationId, consoleEnvironmentId } = world.ids;
          const [member, other, stranger] = [await joined(world, 'developer'), newEmail(), newEmail()];
          for (const email of [other, stranger]) await invite(world, { email, role: 'developer' }, { expect: 200 });
          await invite(theirs.world, { email: other, role: 'developer' }, { expect: 200 });
          const { id } = (await listInvites(world)).find(({ email }) => email === other)!;
          await rowsOf(
            test,
            `INSERT INTO identifier_claims (environment_id, kind, identifier, user_id, proven_at)
             VALUES ($1, 'email', $2, $3, now())`,
            [consoleEnvironmentId, other, member.userId],
          );
          await world.owner.delete(`/members/${await ownMember({ world }, member.userId)}`, { expect: 204 });
          expect((await answer(member, id, 'accepted')).status).toBe(404);
          const emails = (shown: { email: string; status: string }[]) =>
            shown.flatMap(({ email, status }) => (status === 'pending' ? [email] : []));
          expect(emails(await listInvites(world))).toContain(stranger);
          expect(emails(await listInvites(world))).not.toContain(other);
          expect(emails(await listInvites(theirs.world))).toContain(other);
          expect(await lastAudit(test, organizationId, 'invite.deleted')).toMatchObject({ resourceId: id });
        }),
      ));

    it('by others only: nobody removes themself, the last owner or not', () =>
      withTenant(async (tenant) => {
        const admin = await tenant.addMember('admin');
        const owner = await tenant.addMember('owner');
        for (const member of [admin, owner]) {
          const { body } = await as(member).delete<{ code: string }>(`/members/${member.id}`, { expect: 422 });
          expect(body.code).toBe('members_cannot_delete_themself');
        }
        await as(admin).delete(`/members/${owner.id}`, { expect: 403 });
        await as(owner).delete(`/members/${admin.id}`, { expect: 204 });
      }));

    it('and look like unknown ones to members of other organizations', () =>
      withTenant((mine) =>
        withTenant(async (theirs) => {
          const id = await ownMember(theirs);
          await mine.world.owner.put(`/members/${id}`, { role: 'viewer' }, { expect: 404 });
          await mine.world.owner.delete(`/members/${id}`, { expect: 404 });
          const body = { adminMemberIdToDelegate: mine.ids['memberId'] };
          await mine.world.owner.put(`/members/${id}/delegateOwnership`, body, { expect: 404 });
          const own = await ownMember(mine);
          for (const adminMemberIdToDelegate of [id, randomUUID(), 'nobody', '']) {
            const request = { adminMemberIdToDelegate };
            await mine.world.owner.put(`/members/${own}/delegateOwnership`, request, { expect: 404 });
          }
          expect(await rolesOf(theirs)).toContain('owner');
        }),
      ));
  });

  describe('hand ownership over', () => {
    it('to an admin, and become one: both changes or neither, with a record each', () =>
      withTenant(async (tenant) => {
        const { organizationId } = tenant.world.ids;
        const own = await ownMember(tenant);
        const admin = await tenant.addMember('admin');
        const path = `/members/${own}/delegateOwnership`;
        const body = { adminMemberIdToDelegate: admin.id };
        await as(admin).put(path, body, { expect: 403 });
        await tenant.world.owner.put(path, body, { expect: 204 });
        const changed = await auditOf(test, organizationId, { action: 'member.updated' });
        expect(changed.map(({ resourceId, changes }) => [resourceId, changes['role']])).toEqual([
          [admin.id, ['admin', 'owner']],
          [own, ['owner', 'admin']],
        ]);
        await tenant.world.owner.put(path, body, { expect: 403 });
        await as(admin).put(
          `/members/${admin.id}/delegateOwnership`,
          { adminMemberIdToDelegate: own },
          { expect: 204 },
        );
      }));

    it.each<[Role, Role]>([
      ['owner', 'owner'],
      ['owner', 'developer'],
      ['owner', 'viewer'],
      ['admin', 'admin'],
      ['viewer', 'admin'],
    ])('not from %s to %s', (from, to) =>
      withTenant(async (tenant) => {
        const [giver, heir] = [await tenant.addMember(from), await tenant.addMember(to)];
        const { body } = await tenant.world.owner.put<{ code: string }>(
          `/members/${giver.id}/delegateOwnership`,
          { adminMemberIdToDelegate: heir.id },
          { expect: 422 },
        );
        expect(body.code).toBe('invalid_delegation');
        expect(await auditOf(test, tenant.world.ids.organizationId, { action: 'member.updated' })).toEqual([]);
      }),
    );

    it('not of another owner in a call by a former owner', () =>
      withTenant(async (tenant) => {
        const { organizationId } = tenant.world.ids;
        const [giver, heir] = [await tenant.addMember('owner'), await tenant.addMember('admin')];
        const path = `/members/${await ownMember(tenant)}/delegateOwnership`;
        const answer = await withClient(test.databaseUrl, async (client) => {
          await client.query('BEGIN');
          await client.query('SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
          await client.query("UPDATE members SET role = 'admin' WHERE id = $1", [giver.id]);
          const call = as(giver).put<{ code: string }>(path, { adminMemberIdToDelegate: heir.id });
          await eventually(
            'the call waits for the organization',
            async () => (await waitingForMe(client, 'organizations')) > 0,
          );
          await client.query('COMMIT');
          return call;
        });
        expect([answer.status, answer.body.code]).toEqual([403, 'role_withdrawn']);
        expect(await auditOf(test, organizationId, { action: 'member.updated' })).toEqual([]);
      }));
  });

  it(
    'keep an owner through 50 concurrent removals, demotions and delegations of each other, 20 times',
    () =>
      withTenant(async (tenant) => {
        const { organizationId, ownerUserId } = tenant.world.ids;
        const owners = [
          {
            id: await ownMember(tenant),
            userId: ownerUserId,
            token: tenant.world.ownerToken,
            client: tenant.world.owner,
          },
        ];
        for (let at = 0; at < 3; at += 1) owners.push(await tenant.addMember('owner'));
        const admin = await tenant.addMember('admin');
        const statuses = new Set<number>();
        for (let trial = 0; trial < 20; trial += 1) {
          for (const { id, userId } of [...owners, admin]) {
            await tenant.db.query(
              `INSERT INTO members (organization_id, id, user_id, role) VALUES ($1, $2, $3, $4)
             ON CONFLICT (user_id, organization_id) DO UPDATE SET role = excluded.role`,
              [organizationId, id, userId, id === admin.id ? 'admin' : 'owner'],
            );
          }
          const known = (await auditOf(test, organizationId)).length;
          const attempts = Array.from({ length: 50 }, async (_, at) => {
            const actor = owners[at % owners.length]!;
            const target = owners[(at * 7 + trial) % owners.length]!;
            const client = as(actor);
            const heir = { adminMemberIdToDelegate: at % 2 ? admin.id : target.id };
            const kinds = [
              () => client.delete(`/members/${target.id}`),
              () => client.put(`/members/${target.id}`, { role: 'viewer' }),
              () => client.put(`/members/${actor.id}`, { role: 'developer' }),
              () => client.put(`/members/${actor.id}/delegateOwnership`, heir),
            ];
            statuses.add((await kinds[(at + trial) % kinds.length]!()).status);
          });
          await Promise.all(attempts);
          expect((await rolesOf(tenant)).filter((role) => role === 'owner').length).toBeGreaterThan(0);
          // What the records tell, one after the other, is how it came to what there is.
          const states = new Map<string, unknown>();
          for (const { resourceId, changes } of (await auditOf(test, organizationId)).slice(known)) {
            const [before, after] = changes['role'] ?? [];
            if (states.has(resourceId)) expect(before).toBe(states.get(resourceId));
            states.set(resourceId, after);
          }
          expect(states.size).toBeGreaterThan(0);
        }
        expect([...statuses].filter((status) => ![200, 204, 403, 404, 422].includes(status))).toEqual([]);
      }),
    180_000,
  );

  it('of another instance see each change of membership within a second', async () => {
    const { databaseUrl, masterKey } = test;
    const other = await startTestApp({ databaseUrl, masterKey, env: { ROLE: 'api' } });
    try {
      await withTenant(async (tenant) => {
        const member = await tenant.addMember('admin');
        const path = tenant.world.path('/tokens');
        const both = async () => {
          const answers = [test, other].map(({ url }) => new TestClient(url, member.token).get(path));
          return (await Promise.all(answers)).map(({ status }) => status);
        };
        expect(await both()).toEqual([200, 200]);
        const change = new TestClient(other.url, tenant.world.ownerToken);
        await change.put(`/members/${member.id}`, { role: 'viewer' }, { expect: 200 });
        expect(await both()).toEqual([403, 403]);
        await change.put(`/members/${member.id}`, { role: 'developer' }, { expect: 200 });
        expect(await both()).toEqual([200, 200]);
        await change.delete(`/members/${member.id}`, { expect: 204 });
        expect(await both()).toEqual([404, 404]);
      });
    } finally {
      await other.close();
    }
  });
});
