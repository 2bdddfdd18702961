import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ROLES } from '../../src/auth/index.js';
import { mintOrganizationId } from '../../src/auth/mint.js';
import { newId } from '../../src/common/ids.js';
import { UnitOfWork, type OrganizationId, type Transaction } from '../../src/database/index.js';
import { InvitesRepository } from '../../src/organizations/invites/invites.repository.js';
import { Accounts, codeOf } from '../support/accounts.js';
import type { TestApp } from '../support/app.js';
import { sessionsWaiting, waitingForMe } from '../support/lock-waits.js';
import { withClient } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { allowSecondFactors } from '../support/second-factor.js';
import { sharedTestApp } from '../support/shared-app.js';
import { addSite, keySignIn, newKey } from '../support/wallet-sign-in.js';
import { World, newEmail } from '../support/world.js';

/** An organization and the addresses that it has invited. */
interface Invited {
  organizationId: OrganizationId;
  emails: string[];
}

let test: TestApp;
let world: World;
let accounts: Accounts;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
  accounts = new Accounts(world);
  await addSite(world);
});
afterAll(() => test.close());

it('a sign-in by wallet does not wait for a code of its user that is being used, so the two never deadlock', async () => {
  const [ada, key] = [await world.signIn(newEmail()), newKey()];
  expect((await accounts.post('/verify/link', ada.jwt, await keySignIn(world, key))).status).toBe(200);
  const values = [world.environmentId];
  const failures = async () =>
    (
      await rowsOf<{ sum: number }>(
        test,
        'SELECT sum(failures)::int FROM code_networks WHERE environment_id = $1',
        values,
      )
    )[0];
  await rowsOf(test, 'UPDATE code_networks SET failures = 3 WHERE environment_id = $1', values);
  const signIn = async () => accounts.post('/verify', '', await keySignIn(world, key));
  await withClient(test.databaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT FROM code_networks WHERE environment_id = $1 FOR UPDATE', values);
    expect((await signIn()).status).toBe(200);
    await client.query('COMMIT');
  });
  expect(await failures()).toEqual({ sum: 3 });
  expect((await signIn()).status).toBe(200);
  expect(await failures()).toEqual({ sum: 0 });
});

it('moving a wallet uses up the proof before it holds the users, like a link, so that the two never deadlock', async () => {
  const { key, answer } = await accounts.walletOwner();
  const ada = await world.signIn(newEmail());
  const body = { ...(await keySignIn(world, key)), skipEmptyAccountCheck: true };
  const moved = await withClient(test.databaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT FROM nonces WHERE environment_id = $1 FOR UPDATE', [world.environmentId]);
    const asked = accounts.post('/verify/transfer', ada.jwt, body);
    await eventually('the move waits', async () => (await waitingForMe(client, 'nonces')) > 0);
    const users = [answer.user.id, ada.userId];
    await client.query('SELECT FROM users WHERE id = ANY ($1::uuid[]) FOR UPDATE NOWAIT', [users]);
    await client.query('COMMIT');
    return asked;
  });
  expect([moved.status, moved.body.user.id]).toEqual([200, ada.userId]);
});

it('a code by mail as second factor is used up before its user is held, like one that signs in, so that the two never deadlock', async () => {
  await allowSecondFactors(world);
  const { key, answer } = await accounts.walletOwner();
  const email = newEmail();
  expect((await accounts.verifyEmail(answer.jwt, email)).status).toBe(200);
  const { jwt } = (await accounts.walletOwner(key)).answer;
  const body = { verificationUUID: await world.sendCode(email), verificationToken: world.code(email) };
  const given = await withClient(test.databaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [answer.user.id]);
    const asked = accounts.post('/users/mfa/auth/email', jwt, body);
    await eventually('the call waits', async () => (await waitingForMe(client, 'users')) > 0);
    const locking = client.query('SELECT FROM email_verifications WHERE id = $1 FOR UPDATE NOWAIT', [
      body.verificationUUID,
    ]);
    await expect(locking).rejects.toMatchObject({ code: '55P03' });
    await client.query('ROLLBACK');
    return asked;
  });
  expect(given.status).toBe(200);
});

it('an offer to merge two users holds them in the order in which a merge does, so that the two never deadlock', async () => {
  const [eve, ada] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
  const [first, second] = [eve.userId, ada.userId].toSorted();
  const offered = await withClient(test.databaseUrl, async (client) => {
    const hold = (id: string | undefined, how: string) =>
      client.query(`SELECT FROM users WHERE environment_id = $1 AND id = $2 FOR UPDATE ${how}`, [
        world.environmentId,
        id,
      ]);
    await client.query('BEGIN');
    await hold(first, '');
    const [caller, other] = first === eve.userId ? [ada, eve] : [eve, ada];
    const asked = accounts.verifyEmail(caller.jwt, other.email);
    await eventually('the offer waits', async () => (await waitingForMe(client, '')) > 0);
    await hold(second, 'NOWAIT');
    await client.query('COMMIT');
    return asked;
  });
  expect([offered.status, codeOf(offered)]).toEqual([422, 'merge_accounts_confirmation']);
});

it('an operator ends the sessions of a user in the order of their ids, as others do, so that the two never deadlock', async () => {
  const ada = await world.signIn(newEmail());
  const [first, second] = [ada.sessionId, (await world.signIn(ada.email)).sessionId].toSorted();
  // The first one is the last in its table and by its age, so that a scan meets it last.
  await rowsOf(test, "UPDATE sessions SET created_at = now() + interval '1 second' WHERE id = $1", [first]);
  await withClient(test.databaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT FROM sessions WHERE id = $1 FOR UPDATE', [first]);
    const asked = world.api.post(world.path(`/users/${ada.userId}/sessions/revoke`), undefined, { expect: 204 });
    await eventually('the call waits', async () => (await waitingForMe(client, 'sessions')) > 0);
    await client.query('SELECT FROM sessions WHERE id = $1 FOR UPDATE NOWAIT', [second]);
    await client.query('COMMIT');
    await asked;
  });
});

it.each<[string, (invites: InvitesRepository, about: Invited, tx: Transaction) => Promise<unknown>]>([
  [
    'a new one replaces',
    (invites, { organizationId, emails }, tx) => invites.makeRoom(organizationId, emails[0]!, ROLES.values, tx),
  ],
  [
    'a removed member takes along',
    (invites, { organizationId, emails }, tx) => invites.withdrawPending(organizationId, emails, tx),
  ],
  [
    'a removed member has sent',
    (invites, { organizationId }, tx) =>
      invites.withdrawVoid(organizationId, { userId: world.ids.ownerUserId, role: null, roles: [] }, tx),
  ],
  ['a deleted person takes along', (invites, { emails }, tx) => invites.forgetPerson(randomUUID(), emails, tx)],
])('invites that %s are held in the order of their ids, so that no two such calls deadlock', async (_, remove) => {
  const about = {
    organizationId: mintOrganizationId(world.ids.organizationId),
    emails: [newEmail(), newEmail()].toSorted(),
  };
  const [first, second] = [newId(), newId()];
  // Written in the other order, which is that of the addresses too, so that a scan meets them in it.
  for (const [at, id] of [second, first].entries()) {
    await rowsOf(
      test,
      `INSERT INTO invites (organization_id, id, email, role, status, token_hash, created_by, created_at, expires_at)
       VALUES ($1, $2::uuid, $3, 'viewer', 'pending', sha256(convert_to($3, 'UTF8')), $4, now() - interval '9 days', now() - interval '2 days')`,
      [about.organizationId, id, about.emails[at], world.ids.ownerUserId],
    );
  }
  await withClient(test.databaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT FROM invites WHERE id = $1 FOR UPDATE', [first]);
    const [work, invites] = [UnitOfWork, InvitesRepository].map((type) => test.app.get(type, { strict: false })) as [
      UnitOfWork,
      InvitesRepository,
    ];
    const removed = work.run((tx) => remove(invites, about, tx));
    await eventually('the removal waits', async () => (await waitingForMe(client, 'invites')) > 0);
    await client.query('SELECT FROM invites WHERE id = $1 FOR UPDATE NOWAIT', [second]);
    await client.query('COMMIT');
    await removed;
  });
  expect(await rowsOf(test, 'SELECT 1 FROM invites WHERE email = ANY($1::text[])', [about.emails])).toEqual([]);
});

it('a custom field is renamed once the others are held, so that two that swap their names never deadlock', async () => {
  const field = { name: 'Size', enabled: true, required: false, fieldType: 'text', position: 1 };
  const { body } = await world.api.post<{ id: string }>(world.path('/custom/fields'), field, { expect: 201 });
  await withClient(test.databaseUrl, async (client) => {
    await client.query('BEGIN');
    const lock = `custom_fields of ${world.environmentId}`;
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lock]);
    const asked = world.api.put(`/custom/fields/${body.id}`, { ...field, name: 'Colour' }, { expect: 200 });
    await eventually('the change waits', async () => (await waitingForMe(client, 'pg_advisory_xact_lock')) > 0);
    await client.query('SELECT FROM custom_fields WHERE environment_id = $1 AND id = $2 FOR UPDATE NOWAIT', [
      world.environmentId,
      body.id,
    ]);
    await client.query('COMMIT');
    await asked;
  });
});

it('a project is made and renamed once the organization is held, so that the two and a deletion never deadlock', async () => {
  const { organizationId } = world.ids;
  const path = `/organizations/${organizationId}/projects`;
  const { body } = await world.owner.post<{ project: { id: string } }>(path, { name: 'Old' }, { expect: 200 });
  await withClient(test.databaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
    const asked = [
      world.owner.post(path, { name: 'New' }, { expect: 200 }),
      world.owner.put(`/projects/${body.project.id}`, { name: 'Newer' }, { expect: 200 }),
    ];
    await eventually('both wait', async () => (await sessionsWaiting(test.databaseUrl)) > 1);
    await client.query("SET LOCAL lock_timeout = '1s'");
    await client.query('SELECT FROM projects WHERE organization_id = $1 FOR UPDATE NOWAIT', [organizationId]);
    await client.query("INSERT INTO projects (organization_id, id, name) VALUES ($1, gen_random_uuid(), 'New')", [
      organizationId,
    ]);
    await client.query('ROLLBACK');
    await Promise.all(asked);
  });
});
