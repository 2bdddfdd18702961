import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DevInbox } from '../../src/providers/index.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { auditOf, lastAudit } from '../support/audit.js';
import { trySignIn, wrongCode } from '../support/codes.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { countStatements } from '../support/statements.js';
import { Tenant } from '../support/surface/tenant.js';
import { newEmail, World } from '../support/world.js';

interface Account {
  code: string;
  email: string;
  phone: string;
}

describe('the test account of an environment', () => {
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await sharedTestApp();
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    world = await World.create(test);
  });

  const path = () => world.path('/test/account');
  const create = async (): Promise<Account> =>
    (await world.owner.post<Account>(path(), undefined, { expect: 201 })).body;

  it('has a code of six digits, an address that no mail reaches and a number of nobody', async () => {
    const account = await create();
    expect(account).toEqual({
      code: expect.stringMatching(/^\d{6}$/),
      email: expect.stringMatching(/^test-[0-9a-f]{16}@test-account\.invalid$/),
      phone: expect.stringMatching(/^\+120255501\d\d$/),
    });
    expect((await world.api.get<Account>(path(), { expect: 200 })).body).toEqual(account);
  });

  it('signs in with its code, again and again, and is sent nothing', async () => {
    const { email, code } = await create();
    const sent = test.app.get(DevInbox).entries.length;
    for (let time = 0; time < 3; time++) {
      const { status } = await trySignIn(world, await world.sendCode(email), code);
      expect(status).toBe(200);
    }
    expect(test.app.get(DevInbox).entries).toHaveLength(sent);
    const users = await rowsOf(test, 'SELECT 1 FROM users WHERE environment_id = $1', [world.environmentId]);
    expect(users).toHaveLength(1);
  });

  it('has a code for its own address alone, in its own environment alone', async () => {
    const { email, code } = await create();
    const { live } = world.ids.environments;
    expect((await trySignIn(world, await world.sendCode(email, live), code, live)).status).toBe(422);
    const stranger = newEmail();
    const answer = await trySignIn(world, await world.sendCode(stranger), code);
    if (world.code(stranger) !== code) expect(answer.status).toBe(422);
    const another = await World.create(test);
    expect((await trySignIn(another, await another.sendCode(email), code)).status).toBe(422);
  });

  it('is guessed at no more often than others', async () => {
    const { email, code } = await create();
    const verification = await world.sendCode(email);
    for (let step = 1; step <= 5; step++) {
      expect((await trySignIn(world, verification, wrongCode(code, step))).status).toBe(422);
    }
    const { status, body } = await trySignIn(world, verification, code);
    expect([status, body.code]).toEqual([422, 'too_many_email_verification_attempts']);
  });

  it('is refused from the moment it is deleted, for verifications that were begun before as well', async () => {
    const { email, code } = await create();
    const verification = await world.sendCode(email);
    await world.owner.delete(path(), { expect: 204 });
    expect((await trySignIn(world, verification, code)).status).toBe(422);
    expect((await trySignIn(world, await world.sendCode(email), code)).status).toBe(422);
    expect((await world.api.get<{ code: string }>(path())).status).toBe(404);
    expect((await world.owner.delete<{ code: string }>(path())).status).toBe(404);
    const again = await create();
    expect(again.email).not.toBe(email);
  });

  it('is signed out wherever it is signed in when it is deleted, and nobody else is', async () => {
    const { email, code } = await create();
    const signIn = async (address: string, given?: string) => {
      const { body } = await trySignIn(world, await world.sendCode(address), given ?? world.code(address));
      return String((body as { jwt?: string }).jwt);
    };
    const [tester, again, other] = [await signIn(email, code), await signIn(email, code), await signIn(newEmail())];
    const check = async (jwt: string) =>
      (await world.api.withToken(jwt).get(`/sdk/${world.environmentId}/session`)).status;
    expect([await check(tester), await check(again), await check(other)]).toEqual([204, 204, 204]);
    await world.owner.delete(path(), { expect: 204 });
    expect([await check(tester), await check(again), await check(other)]).toEqual([401, 401, 204]);
    const revoked = await auditOf(test, world.ids.organizationId, { action: 'user.session.revoked' });
    expect(revoked).toHaveLength(2);
  });

  it('exists once, of 50 that are made at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => world.owner.post<Account & { hint: string }>(path())),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const late = answers.filter(({ status }) => status === 422);
    expect(late).toHaveLength(49);
    expect(new Set(late.map(({ body }) => body.code))).toEqual(new Set(['test_account_exists']));
    expect(await auditOf(test, world.ids.organizationId, { action: 'testAccount.created' })).toHaveLength(1);
  });

  it('is deleted once, of 50 times at once', async () => {
    await create();
    const answers = await Promise.all(Array.from({ length: 50 }, () => world.owner.delete(path())));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(await auditOf(test, world.ids.organizationId, { action: 'testAccount.deleted' })).toHaveLength(1);
  });

  it('is in the record and among the events, without its code, which is nowhere in the clear', async () => {
    const { email, phone, code } = await create();
    const made = await lastAudit(test, world.ids.organizationId, 'testAccount.created');
    expect(made).toMatchObject({
      resourceType: 'testAccount',
      changes: { email: [null, email], phone: [null, phone] },
    });
    await world.owner.delete(path(), { expect: 204 });
    const gone = await lastAudit(test, world.ids.organizationId, 'testAccount.deleted');
    expect(gone.changes).toEqual({ email: [email, null], phone: [phone, null] });
    const events = await eventsOf(test, world.environmentId, world.environmentId);
    expect(events.map(({ name, data }) => [name, data])).toEqual([
      ['testAccount.created', { email, phone }],
      ['testAccount.deleted', { email, phone }],
    ]);
    const again = await create();
    const [row] = await rowsOf<{ sealed: Buffer; account: string }>(
      test,
      `SELECT sealed_value AS sealed, to_jsonb(a)::text AS account
       FROM environment_secrets s JOIN test_accounts a USING (environment_id) WHERE environment_id = $1`,
      [world.environmentId],
    );
    expect(row!.account).not.toContain(`"${again.code}"`);
    expect(row!.sealed.includes(again.code)).toBe(false);
    expect(code).toHaveLength(6);
  });

  it('is read by developers and not by viewers, for its code is a credential', async () => {
    await create();
    const tenant = await Tenant.create(test);
    try {
      await tenant.world.owner.post(tenant.world.path('/test/account'), undefined, { expect: 201 });
      for (const [role, status] of [
        ['viewer', 403],
        ['developer', 200],
      ] as const) {
        const { token } = await tenant.addMember(role);
        const answer = await tenant.world.api.withToken(token).get(tenant.world.path('/test/account'));
        expect([role, answer.status]).toEqual([role, status]);
      }
    } finally {
      await tenant.close();
    }
  });

  it('costs nobody else a statement', async () => {
    await create();
    const email = newEmail();
    const { sent } = await countStatements(() => world.sendCode(email));
    expect(sent.filter(({ text }) => /test_accounts|environment_secrets/.test(text))).toEqual([]);
  });

  it('works in a live environment too, where one is set', async () => {
    const { live } = world.ids.environments;
    const { body } = await world.owner.post<Account>(`/environments/${live}/test/account`, undefined, { expect: 201 });
    expect((await trySignIn(world, await world.sendCode(body.email, live), body.code, live)).status).toBe(200);
  });
});
