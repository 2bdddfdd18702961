import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { Role } from '../../src/auth/index.js';
import { UsersService } from '../../src/identity/users/users.service.js';
import { SERVICE } from '../../src/organizations/index.js';
import { Mailer } from '../../src/providers/index.js';
import { NothingLeft } from '../../src/providers/mail/unsent-mail.js';
import { mailUnavailable } from '../../src/providers/providers.errors.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { auditOf, lastAudit } from '../support/audit.js';
import type { Refusal } from '../support/codes.js';
import {
  answer,
  invite,
  inviteGuest,
  joined,
  listInvites,
  mailTo,
  ofOrganization,
  signInGuest,
  type Guest,
  type ShownInvite,
} from '../support/invites.js';
import { waitingForMe } from '../support/lock-waits.js';
import { withClient } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { eventsOf, fillRows, rowsOf } from '../support/rows.js';
import { countStatements } from '../support/statements.js';
import { World, newEmail } from '../support/world.js';

const PUBLIC_URL = 'https://id.example.com';

const hinted = (address: string): string => `${address[0]}…@${address.split('@')[1]}`;

describe('an invite', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ env: { ROLE: 'api', PUBLIC_URL } });
  });
  afterAll(() => test.close());

  const membersOf = (world: World) =>
    rowsOf<{ userId: string; role: Role }>(
      test,
      `SELECT user_id AS "userId", role FROM members WHERE organization_id = $1 AND user_id <> $2`,
      [world.ids.organizationId, world.ids.ownerUserId],
    );
  const tokenIn = (text: string): string => /\/invites\/(ghi_\w+)/.exec(text)![1]!;

  it('is emailed with a link, listed, accepted after sign-in and makes a member', async () => {
    const world = await World.create(test);
    const { organizationId } = world.ids;
    const guest = await signInGuest(world);
    const asked = { email: guest.email.toUpperCase(), alias: 'Ann', role: 'developer' };
    const { body: made } = await invite(world, asked, { expect: 200 });
    expect(made).toMatchObject({ email: guest.email, alias: 'Ann', role: 'developer', status: 'pending' });

    const [listed] = await listInvites(world);
    expect(listed).toEqual({
      id: expect.any(String),
      organizationId,
      organizationName: expect.stringMatching(/^Org /),
      status: 'pending',
      email: guest.email,
      alias: 'Ann',
      role: 'developer',
      createdByEmail: world.ownerEmail,
    });
    const mail = mailTo(test, guest.email)!;
    expect(mail.subject).toBe(`Invitation to ${listed!.organizationName}`);
    expect(mail.text).toContain(`as developer by ${world.ownerEmail}.`);

    const own = await guest.client.get<{ count: number; invites: ShownInvite[] }>('/invites?status=pending');
    expect(own.body).toEqual({ count: 1, invites: [listed] });

    await guest.client.get(ofOrganization(world, ''), { expect: 404 });
    expect((await answer(guest, listed!.id, 'accepted')).status).toBe(200);
    const seen = await guest.client.get<{ role: string }>(ofOrganization(world, ''), { expect: 200 });
    expect(seen.body.role).toBe('developer');
    const accepted = await guest.client.get<{ invites: ShownInvite[] }>('/invites?status=accepted');
    expect(accepted.body.invites).toEqual([{ ...listed, status: 'accepted' }]);
    expect((await listInvites(world)).map(({ status }) => status)).toEqual(['accepted']);
  });

  it('is in the audit trail and in events, without its token', async () => {
    const world = await World.create(test);
    const { organizationId, consoleEnvironmentId, ownerUserId } = world.ids;
    const guest = await signInGuest(world);
    const { id } = await inviteGuest(world, guest);
    await answer(guest, id, 'accepted');
    const told = await auditOf(test, organizationId, { resourceId: id });
    expect(told.map(({ action }) => action)).toEqual(['invite.created', 'invite.accepted']);
    expect(told[0]).toMatchObject({
      actor: { kind: 'member', id: ownerUserId },
      // The trail is kept for good, whoever is forgotten.
      changes: { email: [null, hinted(guest.email)] },
    });
    expect(told[1]).toMatchObject({
      actor: { kind: 'member', id: guest.userId },
      changes: { status: ['pending', 'accepted'] },
    });
    expect(await lastAudit(test, organizationId, 'member.added')).toMatchObject({
      actor: { id: guest.userId },
      changes: { userId: [null, guest.userId], role: [null, 'developer'] },
    });
    const events = await eventsOf(test, consoleEnvironmentId, id);
    expect(events.map(({ name, data }) => [name, data['status'], data['organizationId']])).toEqual([
      ['invite.created', 'pending', organizationId],
      ['invite.accepted', 'accepted', organizationId],
    ]);
    const token = tokenIn(mailTo(test, guest.email)!.text);
    const hash = createHash('sha256').update(token).digest();
    const [row] = await rowsOf<{ hash: Buffer }>(test, 'SELECT token_hash AS hash FROM invites WHERE id = $1', [id]);
    expect(row!.hash.equals(hash)).toBe(true);
    const stored = JSON.stringify([told, events]);
    for (const secret of [token, hash.toString('hex'), hash.toString('base64')]) expect(stored).not.toContain(secret);
  });

  it('creates one member when accepted 50 times concurrently', async () => {
    const world = await World.create(test);
    const guest = await signInGuest(world);
    const { id } = await inviteGuest(world, guest);
    const answers = await Promise.all(Array.from({ length: 50 }, () => answer<Refusal>(guest, id, 'accepted')));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array<number>(49).fill(422)]);
    expect(new Set(answers.filter(({ status }) => status === 422).map(({ body }) => body.code))).toEqual(
      new Set(['invalid_invite']),
    );
    expect(await membersOf(world)).toEqual([{ userId: guest.userId, role: 'developer' }]);
    const added = await auditOf(test, world.ids.organizationId, { action: 'member.added' });
    expect(added.filter(({ actor }) => actor['id'] === guest.userId)).toHaveLength(1);
  });

  it('stays with its membership once accepted, and cannot be withdrawn', async () => {
    const world = await World.create(test);
    const guest = await signInGuest(world);
    const { id } = await inviteGuest(world, guest);
    expect((await answer(guest, id, 'accepted')).status).toBe(200);
    await world.owner.delete(`/invites/${id}`, { expect: 404 });
    expect((await listInvites(world))[0]).toMatchObject({ id, status: 'accepted' });
    expect(await membersOf(world)).toHaveLength(1);
  });

  it('has one outcome when accepted, rejected and withdrawn concurrently, 10 times', async () => {
    const world = await World.create(test);
    for (let trial = 0; trial < 10; trial++) {
      const guest = await signInGuest(world);
      const { id } = await inviteGuest(world, guest);
      const answers = await Promise.all([
        ...Array.from({ length: 5 }, () => answer(guest, id, 'accepted')),
        ...Array.from({ length: 5 }, () => answer(guest, id, 'rejected')),
        ...Array.from({ length: 5 }, () => world.owner.delete(`/invites/${id}`)),
      ]);
      const isMember = (await membersOf(world)).some(({ userId }) => userId === guest.userId);
      const accepted = answers.slice(0, 5).filter(({ status }) => status === 200);
      const rejected = answers.slice(5, 10).filter(({ status }) => status === 200);
      expect(accepted.length + rejected.length).toBeLessThanOrEqual(1);
      expect(isMember).toBe(accepted.length === 1);
      if (isMember) expect(answers.slice(10).every(({ status }) => status === 404)).toBe(true);
    }
  });

  describe('is answered by the invited person alone', () => {
    it('and does not exist for strangers', async () => {
      const world = await World.create(test);
      const [guest, stranger] = [await signInGuest(world), await signInGuest(world)];
      const { id } = await inviteGuest(world, guest);
      for (const status of ['accepted', 'rejected']) {
        expect((await answer(stranger, id, status)).status).toBe(404);
      }
      await stranger.client.delete(`/invites/${id}`, { expect: 404 });
      const seen = await stranger.client.get<{ invites: unknown[] }>('/invites?status=pending');
      expect(seen.body.invites).toEqual([]);
      expect((await listInvites(world))[0]).toMatchObject({ id, status: 'pending' });
    });

    it('nor by the member who made it', async () => {
      const world = await World.create(test);
      const guest = await signInGuest(world);
      const { id } = await inviteGuest(world, guest);
      const { body } = await world.owner.put<Refusal>(`/invites/${id}`, { status: 'accepted' }, { expect: 403 });
      expect(body.code).toBe('forbidden');
    });

    it('nor by a user whose address is stated and not verified', async () => {
      const world = await World.create(test);
      const other = await World.create(test); // its owner has an address that nobody has proven
      await invite(world, { email: other.ownerEmail, role: 'admin' }, { expect: 200 });
      const [{ id }] = (await listInvites(world)) as [ShownInvite];
      await other.owner.put(`/invites/${id}`, { status: 'accepted' }, { expect: 404 });
      const unproven = await other.owner.get<{ invites: unknown[] }>('/invites?status=pending');
      expect(unproven.body.invites).toEqual([]);
      await other.signIn(other.ownerEmail, { environmentId: other.ids.consoleEnvironmentId });
      await other.owner.put(`/invites/${id}`, { status: 'accepted' }, { expect: 200 });
    });

    it('and not with an API token', async () => {
      const world = await World.create(test);
      const { id } = await inviteGuest(world, await signInGuest(world));
      await world.api.put(`/invites/${id}`, { status: 'accepted' }, { expect: 403 });
      await world.api.get('/invites?status=pending', { expect: 401 });
    });
  });

  describe('cannot be accepted', () => {
    const refusal = async (guest: Parameters<typeof answer>[0], id: string, status = 'accepted') =>
      (await answer<Refusal>(guest, id, status)).body.code;

    it.each(['accepted', 'rejected'])('once it was %s', async (first) => {
      const world = await World.create(test);
      const guest = await signInGuest(world);
      const { id } = await inviteGuest(world, guest);
      expect((await answer(guest, id, first)).status).toBe(200);
      expect(await refusal(guest, id)).toBe('invalid_invite');
      expect(await refusal(guest, id, 'rejected')).toBe('invalid_invite');
    });

    it('once it was withdrawn', async () => {
      const world = await World.create(test);
      const guest = await signInGuest(world);
      const { id } = await inviteGuest(world, guest);
      await world.owner.delete(`/invites/${id}`, { expect: 204 });
      expect(await refusal(guest, id)).toBe('not_found');
      await world.owner.delete(`/invites/${id}`, { expect: 404 });
      expect((await lastAudit(test, world.ids.organizationId, 'invite.deleted')).resourceId).toBe(id);
    });

    it('after seven days, when it is no longer listed and the address can be invited again', async () => {
      const world = await World.create(test);
      const guest = await signInGuest(world);
      const { id } = await inviteGuest(world, guest);
      const [row] = await rowsOf<{ days: number }>(
        test,
        'SELECT extract(epoch FROM expires_at - created_at)::int / 86400 AS days FROM invites WHERE id = $1',
        [id],
      );
      expect(row!.days).toBe(7);
      const link = new URL(tokenIn(mailTo(test, guest.email)!.text), `${test.url}/invites/`);
      await rowsOf(test, "UPDATE invites SET expires_at = now() + interval '1 minute' WHERE id = $1", [id]);
      expect((await fetch(link)).status).toBe(200);
      await rowsOf(test, 'UPDATE invites SET expires_at = now() WHERE id = $1', [id]);
      expect((await fetch(link)).status).toBe(404);
      expect(await refusal(guest, id)).toBe('invalid_invite');
      expect(await listInvites(world)).toEqual([]);
      const own = await guest.client.get<{ count: number }>('/invites?status=pending');
      expect(own.body.count).toBe(0);
      const again = await inviteGuest(world, guest);
      expect((await answer(guest, again.id, 'accepted')).status).toBe(200);
    });

    it('by a member of 50 organizations', async () => {
      const world = await World.create(test);
      const guest = await signInGuest(world);
      const { id } = await inviteGuest(world, guest);
      await rowsOf(
        test,
        `WITH o AS (INSERT INTO organizations (id, name) SELECT gen_random_uuid(), 'many' FROM generate_series(1, 50) RETURNING id)
         INSERT INTO members (organization_id, id, user_id, role) SELECT o.id, gen_random_uuid(), $1, 'viewer' FROM o`,
        [guest.userId],
      );
      expect(await refusal(guest, id)).toBe('too_many_organizations_for_user');
    });

    it('with a response that leaves it open', async () => {
      const world = await World.create(test);
      const guest = await signInGuest(world);
      const { id } = await inviteGuest(world, guest);
      expect(await refusal(guest, id, 'pending')).toBe('invalid_invite');
    });

    it('by somebody who became a member meanwhile, and nothing changes', async () => {
      const world = await World.create(test);
      const guest = await signInGuest(world);
      const { id } = await inviteGuest(world, guest, 'admin');
      await rowsOf(
        test,
        "INSERT INTO members (organization_id, id, user_id, role) VALUES ($1, gen_random_uuid(), $2, 'viewer')",
        [world.ids.organizationId, guest.userId],
      );
      expect(await refusal(guest, id)).toBe('invalid_invite');
      expect(await membersOf(world)).toEqual([{ userId: guest.userId, role: 'viewer' }]);
      expect((await listInvites(world))[0]).toMatchObject({ id, status: 'pending' });
    });

    it.each<[string, Role, Role, string]>([
      ['was removed', 'admin', 'viewer', 'DELETE FROM members WHERE user_id = $1'],
      ['is no admin any more', 'admin', 'viewer', "UPDATE members SET role = 'developer' WHERE user_id = $1"],
      [
        'is no owner any more, as it makes one',
        'owner',
        'owner',
        "UPDATE members SET role = 'admin' WHERE user_id = $1",
      ],
    ])('when whoever made it %s', async (_what, own, role, sql) => {
      const world = await World.create(test);
      const inviter = await joined(world, own);
      const guest = await signInGuest(world);
      await invite(world, { email: guest.email, role }, { as: inviter.client, expect: 200 });
      const { id } = (await listInvites(world)).find(({ email }) => email === guest.email)!;
      await rowsOf(test, sql, [inviter.userId]);
      expect(await refusal(guest, id)).toBe('invalid_invite');
      expect((await answer(guest, id, 'rejected')).status).toBe(200);
    });

    it('when whoever made it is removed while it is being accepted', async () => {
      const world = await World.create(test);
      const { organizationId } = world.ids;
      const inviter = await joined(world, 'admin');
      const guest = await signInGuest(world);
      await invite(world, { email: guest.email, role: 'admin' }, { as: inviter.client, expect: 200 });
      const { id } = (await listInvites(world)).find(({ email }) => email === guest.email)!;
      const answered = await withClient(test.databaseUrl, async (client) => {
        await client.query('BEGIN');
        await client.query('SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
        await client.query('DELETE FROM members WHERE organization_id = $1 AND user_id = $2', [
          organizationId,
          inviter.userId,
        ]);
        const call = answer<Refusal>(guest, id, 'accepted');
        await eventually(
          'the call waits for the organization',
          async () => (await waitingForMe(client, 'organizations')) > 0,
        );
        await client.query('COMMIT');
        return call;
      });
      expect(answered).toMatchObject({ status: 422, body: { code: 'invalid_invite' } });
      expect(await membersOf(world)).toEqual([]);
    });

    it('into an organization with 1000 members', async () => {
      const world = await World.create(test);
      const [first, second] = [await signInGuest(world), await signInGuest(world)];
      const invites = [await inviteGuest(world, first), await inviteGuest(world, second)];
      await rowsOf(
        test,
        `INSERT INTO members (organization_id, id, user_id, role)
         SELECT $1, gen_random_uuid(), gen_random_uuid(), 'viewer' FROM generate_series(1, 998)`,
        [world.ids.organizationId],
      );
      expect((await answer(first, invites[0]!.id, 'accepted')).status).toBe(200);
      expect(await refusal(second, invites[1]!.id)).toBe('too_many_members');
    });
  });

  describe('is withdrawn with the right to send it', () => {
    const memberOf = async (world: World, userId: string): Promise<string> =>
      (
        await rowsOf<{ id: string }>(test, 'SELECT id FROM members WHERE organization_id = $1 AND user_id = $2', [
          world.ids.organizationId,
          userId,
        ])
      )[0]!.id;
    const open = async (world: World): Promise<Role[]> =>
      (await listInvites(world)).flatMap(({ status, role }) => (status === 'pending' ? [role] : [])).sort();
    /** An owner who has sent an invite for each role, and an open invite of somebody else. */
    async function inviter(world: World): Promise<Guest & { memberId: string }> {
      const guest = await joined(world, 'owner');
      for (const role of ['owner', 'admin', 'developer', 'viewer'])
        await invite(world, { email: newEmail(), role }, { as: guest.client, expect: 200 });
      await invite(world, { email: newEmail(), role: 'viewer' }, { expect: 200 });
      return { ...guest, memberId: await memberOf(world, guest.userId) };
    }

    it.each<[Role, Role[]]>([
      ['owner', ['admin', 'developer', 'owner', 'viewer', 'viewer']],
      ['admin', ['admin', 'developer', 'viewer', 'viewer']],
      ['developer', ['viewer']],
      ['viewer', ['viewer']],
    ])('of a member who becomes %s', async (role, left) => {
      const world = await World.create(test);
      const { memberId } = await inviter(world);
      await world.owner.put(`/members/${memberId}`, { role }, { expect: 200 });
      expect(await open(world)).toEqual(left);
    });

    it('also when it was withdrawn before invites were: the address can be invited again', async () => {
      const world = await World.create(test);
      const email = newEmail();
      const sender = await joined(world, 'admin');
      await invite(world, { email, role: 'viewer' }, { as: sender.client, expect: 200 });
      expect((await invite(world, { email, role: 'viewer' })).status).toBe(409);
      await rowsOf(test, "UPDATE members SET role = 'viewer' WHERE user_id = $1", [sender.userId]);
      await invite(world, { email, role: 'viewer' }, { expect: 200 });
      expect(await open(world)).toEqual(['viewer']);
    });

    it('of a member who is removed; the address can be invited again', async () => {
      const world = await World.create(test);
      const [sender, guest] = [await inviter(world), await signInGuest(world)];
      await invite(world, { email: guest.email, role: 'viewer' }, { as: sender.client, expect: 200 });
      const link = new URL(tokenIn(mailTo(test, guest.email)!.text), `${test.url}/invites/`);
      const { id } = (await listInvites(world)).find(({ email }) => email === guest.email)!;
      await world.owner.delete(`/members/${sender.memberId}`, { expect: 204 });
      expect(await open(world)).toEqual(['viewer']);
      expect((await fetch(link)).status).toBe(404);
      expect((await guest.client.get<{ count: number }>('/invites?status=pending')).body.count).toBe(0);
      expect(await auditOf(test, world.ids.organizationId, { resourceId: id, action: 'invite.deleted' })).toMatchObject(
        [{ actor: { kind: 'member', id: world.ids.ownerUserId }, changes: { status: ['pending', null] } }],
      );
      const again = await inviteGuest(world, guest);
      expect((await answer(guest, again.id, 'accepted')).status).toBe(200);
    });

    it('of an owner who hands ownership over', async () => {
      const world = await World.create(test);
      const [sender, heir] = [await inviter(world), await joined(world, 'admin')];
      const body = { adminMemberIdToDelegate: await memberOf(world, heir.userId) };
      await world.owner.put(`/members/${sender.memberId}/delegateOwnership`, body, { expect: 204 });
      expect(await open(world)).toEqual(['admin', 'developer', 'viewer', 'viewer']);
    });

    it('of a person who is deleted', async () => {
      const world = await World.create(test);
      const sender = await inviter(world);
      await test.app.get(UsersService).delete(world.ids.consoleEnvironmentId, sender.userId, SERVICE);
      expect(await open(world)).toEqual(['viewer']);
    });
  });

  describe('gives at most the role of whoever makes it', () => {
    it.each<[Role, Role, number]>([
      ['owner', 'owner', 200],
      ['owner', 'viewer', 200],
      ['admin', 'owner', 403],
      ['admin', 'admin', 200],
      ['admin', 'developer', 200],
      ['developer', 'viewer', 403],
      ['viewer', 'viewer', 403],
    ])('%s invites %s: %d', async (own, role, status) => {
      const world = await World.create(test);
      const as = own === 'owner' ? world.owner : (await joined(world, own)).client;
      const email = newEmail();
      expect((await invite(world, { email, role }, { as })).status).toBe(status);
      expect((await listInvites(world)).some((each) => each.email === email)).toBe(status === 200);
      expect(mailTo(test, email) !== undefined).toBe(status === 200);
    });

    it('and an admin cannot withdraw an invite of an owner', async () => {
      const world = await World.create(test);
      const admin = await joined(world, 'admin');
      const [owners, admins] = [
        await inviteGuest(world, await signInGuest(world), 'owner'),
        await inviteGuest(world, await signInGuest(world), 'admin'),
      ];
      await admin.client.delete(`/invites/${owners.id}`, { expect: 403 });
      await admin.client.delete(`/invites/${admins.id}`, { expect: 204 });
      expect((await listInvites(world)).map(({ id }) => id)).toContain(owners.id);
    });
  });

  describe('is refused', () => {
    it('with 409 and a message for an already invited address, in any spelling', async () => {
      const world = await World.create(test);
      await invite(world, { email: 'ann@müller.example', role: 'viewer' }, { expect: 200 });
      for (const email of ['ANN@müller.example', 'ann@xn--mller-kva.example']) {
        const { body } = await invite<Refusal & { message: string }>(world, { email, role: 'admin' }, { expect: 409 });
        expect(body).toMatchObject({
          code: 'invite_exists',
          message: 'There is already an open invite for this address.',
        });
      }
    });

    it('with 409 for the address of a member', async () => {
      const world = await World.create(test);
      const guest = await joined(world, 'viewer');
      for (const email of [guest.email, world.ownerEmail]) {
        const { body } = await invite<Refusal>(world, { email, role: 'viewer' }, { expect: 409 });
        expect(body.code).toBe('already_member');
      }
    });

    it.each<[object, string]>([
      [{}, 'invite_address_required'],
      [{ email: '' }, 'invite_address_required'],
      [{ walletPublicKey: 'A1', phoneNumber: '+41446681800' }, 'invite_address_required'],
      [{ email: `${'l'.repeat(65)}@example.com` }, 'invalid_email_address'],
    ])('without an address to send it to: %j', async (body, code) => {
      const world = await World.create(test);
      const refused = await invite<Refusal>(world, { role: 'viewer', ...body }, { expect: 422 });
      expect(refused.body.code).toBe(code);
      expect(await listInvites(world)).toEqual([]);
    });

    it('when 100 are open, and exactly 100 of 110 concurrent ones are created', async () => {
      const world = await World.create(test);
      const answers = await Promise.all(
        Array.from({ length: 110 }, () => invite<Refusal>(world, { email: newEmail(), role: 'viewer' })),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
      const refused = answers.filter(({ status }) => status !== 200);
      expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['too_many_invites']));
      const listed = await listInvites(world);
      expect(listed).toHaveLength(100);
      await world.owner.delete(`/invites/${listed[0]!.id}`, { expect: 204 });
      await invite(world, { email: newEmail(), role: 'viewer' }, { expect: 200 });
    });

    it('49 times of 50 concurrent ones for one address, and one email is sent', async () => {
      const world = await World.create(test);
      const email = newEmail();
      const sent: string[] = [];
      const mailer = test.app.get(Mailer);
      const send = mailer.send.bind(mailer);
      mailer.send = (mail) => (sent.push(mail.to), send(mail));
      const answers = await Promise.all(Array.from({ length: 50 }, () => invite(world, { email, role: 'viewer' })));
      mailer.send = send;
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(49).fill(409)]);
      expect(sent.filter((to) => to === email)).toHaveLength(1);
    });

    it('beyond 300 emails of an organization in a day', async () => {
      const limited = await startTestApp({
        env: { ROLE: 'api', RATE_LIMIT_SCALE: '0.01' },
      });
      try {
        const world = await World.create(limited);
        const statuses: number[] = [];
        for (let at = 0; at < 4; at++)
          statuses.push((await invite(world, { email: newEmail(), role: 'viewer' })).status);
        expect(statuses).toEqual([200, 200, 200, 429]);

        const other = await World.create(limited);
        const [first, mailer] = [{ email: newEmail(), role: 'viewer' }, limited.app.get(Mailer)];
        const send = mailer.send.bind(mailer);
        await invite(other, first, { expect: 200 });
        // Where no email was sent, none is counted.
        for (let at = 0; at < 4; at++) await invite(other, first, { expect: 409 });
        mailer.send = () => Promise.reject(mailUnavailable({ retryAfterSeconds: 30, cause: new NothingLeft() }));
        for (let at = 0; at < 4; at++) await invite(other, { email: newEmail(), role: 'viewer' }, { expect: 503 });
        // This one may have arrived.
        mailer.send = () => Promise.reject(mailUnavailable({ retryAfterSeconds: 30 }));
        await invite(other, { email: newEmail(), role: 'viewer' }, { expect: 503 });
        mailer.send = send;
        await invite(other, { email: newEmail(), role: 'viewer' }, { expect: 200 });
        await invite(other, { email: newEmail(), role: 'viewer' }, { expect: 429 });
      } finally {
        await limited.close();
      }
    });
  });

  describe('whose email', () => {
    it('cannot be sent leaves nothing, and can be created again at once', async () => {
      const world = await World.create(test);
      const mailer = test.app.get(Mailer);
      const send = mailer.send.bind(mailer);
      const email = newEmail();
      mailer.send = () => Promise.reject(mailUnavailable({ retryAfterSeconds: 30 }));
      const failed = await invite(world, { email, role: 'viewer' });
      mailer.send = send;
      expect(failed.status).toBe(503);
      expect(await listInvites(world)).toEqual([]);
      const removed = await lastAudit(test, world.ids.organizationId, 'invite.deleted');
      expect(removed).toMatchObject({ actor: { kind: 'service' }, changes: { email: [hinted(email), null] } });
      await invite(world, { email, role: 'viewer' }, { expect: 200 });
      expect(mailTo(test, email)).toBeDefined();
    });

    it('was never sent because the process ended can be replaced after a minute', async () => {
      const world = await World.create(test);
      const guest = await signInGuest(world);
      const lost = await inviteGuest(world, guest);
      const age = (seconds: number) =>
        rowsOf(test, "UPDATE invites SET sent_at = NULL, created_at = now() - $2 * interval '1 second' WHERE id = $1", [
          lost.id,
          seconds,
        ]);
      await age(30);
      await invite(world, { email: guest.email, role: 'viewer' }, { expect: 409 });
      await age(61);
      const other = await inviteGuest(world, await signInGuest(world));
      expect((await listInvites(world)).map(({ id }) => id)).toEqual([other.id, lost.id]);
      const next = await inviteGuest(world, guest, 'viewer');
      expect((await listInvites(world)).map(({ id }) => id)).toEqual([next.id, other.id]);
      // What was handed over does not, however old it is.
      await rowsOf(test, "UPDATE invites SET created_at = now() - interval '1 hour' WHERE id = $1", [next.id]);
      await invite(world, { email: guest.email, role: 'viewer' }, { expect: 409 });
    });

    it('links to the configured address, whatever the headers of the request say', async () => {
      const world = await World.create(test);
      const headers = ['host', 'x-forwarded-host', 'forwarded', 'x-original-host', 'x-host', 'origin', 'referer'];
      for (const name of headers.slice(1)) {
        const email = newEmail();
        const value =
          name === 'forwarded' ? 'host=evil.example' : name === 'origin' ? 'https://evil.example' : 'evil.example';
        await world.owner.post(
          ofOrganization(world, '/invites'),
          { email, role: 'viewer' },
          {
            headers: { [name]: value, 'x-forwarded-proto': 'http' },
            expect: 200,
          },
        );
        const { text } = mailTo(test, email)!;
        expect(text.match(/https?:\/\/[^/\s]+/g)).toEqual([PUBLIC_URL]);
      }
    });
  });

  describe('has a page', () => {
    it('that shows the offer to whoever has the link, and signs nobody in', async () => {
      const world = await World.create(test);
      await world.owner.put(`/projects/${world.ids.projectId}`, { name: 'p' }, { expect: 200 });
      await rowsOf(test, 'UPDATE organizations SET name = $2 WHERE id = $1', [
        world.ids.organizationId,
        `<script>alert(1)</script>${world.ids.organizationId}`,
      ]);
      const guest = await signInGuest(world);
      const { id } = await inviteGuest(world, guest);
      const url = `${test.url}/invites/${tokenIn(mailTo(test, guest.email)!.text)}`;
      const response = await fetch(url);
      const text = await response.text();
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^text\/html/);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      expect(text).toContain(guest.email);
      expect(text).toContain(`${PUBLIC_URL}/api/v0/invites/${id}`);
      expect(text).not.toContain('<script>alert');
      await answer(guest, id, 'rejected');
      expect((await fetch(url)).status).toBe(404);
    });

    it.each([
      ['nothing but the prefix', 'ghi_'],
      ['another prefix', 'ghp_abc'],
      ['a checksum that is wrong', `ghi_${'0'.repeat(49)}`],
      ['a path', '..%2f..'],
      ['a NUL', '%00'],
      ['4000 letters', 'a'.repeat(4000)],
    ])('that says no more about a link with %s than about a closed one', async (_what, token) => {
      const response = await fetch(`${test.url}/invites/${token}`);
      expect(response.status).toBe(404);
      expect(await response.text()).not.toMatch(/500|stack/i);
    });
  });

  it('is listed by statements whose number and plan do not depend on the number of invites', async () => {
    const world = await World.create(test);
    const { organizationId, ownerUserId } = world.ids;
    const guest = await signInGuest(world);
    await fillRows(
      test,
      `INSERT INTO invites (organization_id, id, email, role, status, token_hash, created_by, expires_at, answered_at, answered_by)
       SELECT $1::uuid, gen_random_uuid(), $3::text || n, 'viewer', CASE WHEN n % 2 = 0 THEN 'accepted' ELSE 'rejected' END,
         sha256(($1::uuid || '-' || n)::bytea), $2::uuid, now(), now(), $2::uuid
       FROM generate_series(1, 20000) n`,
      [organizationId, ownerUserId, guest.email],
    );
    await inviteGuest(world, guest);
    await rowsOf(test, 'ANALYZE invites');
    const { result, sent } = await countStatements(() => listInvites(world));
    expect(result).toHaveLength(201);
    const names = sent.map(({ name }) => name).filter((name) => !/Tokens|members|BEGIN|COMMIT/.test(name));
    expect(names.filter((name) => name.startsWith('invites'))).toEqual(['invites.list']);
    expect(names).toHaveLength(2);
    const list = sent.find(({ name }) => name === 'invites.list')!;
    const plan = await rowsOf<Record<string, string>>(test, `EXPLAIN ${list.text}`, [organizationId]);
    const lines = plan.map((row) => Object.values(row)[0]!).join('\n');
    expect(lines).not.toContain('Seq Scan on invites');
    expect(lines).toContain('invites_of_organization');
    const own = await countStatements(() => guest.client.get('/invites?status=pending', { expect: 200 }));
    const found = own.sent.find(({ name }) => name === 'invites.listOfAddresses')!;
    const ownPlan = await rowsOf<Record<string, string>>(test, `EXPLAIN ${found.text}`, [...found.values]);
    expect(ownPlan.map((row) => Object.values(row)[0]!).join('\n')).not.toContain('Seq Scan on invites');
  });
});
