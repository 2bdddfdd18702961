import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { forbidden } from '../../src/common/errors/index.js';
import { KnownCustomFields } from '../../src/identity/custom-fields/known-custom-fields.js';
import { DuplicateMerges, SignInCheck, SignInChecks, Unmerges, type Admission } from '../../src/identity/index.js';
import { Accounts, codeOf } from '../support/accounts.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/receiver.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { addDevice, allowSecondFactors, refreshed, roomInStep } from '../support/second-factor.js';
import { enableSms, newPhone, verifyPhone } from '../support/sms.js';
import { addSite, claimOf, keySignIn, messageOf, newKey } from '../support/wallet-sign-in.js';
import { countStatements } from '../support/statements.js';
import { World, newEmail, type SignedIn } from '../support/world.js';

let test: TestApp;
let world: World;
let accounts: Accounts;
let meanwhile: (() => Promise<unknown>) | null = null;

/** Lets something happen once, after an account was looked at and before it is held. */
class Meanwhile extends SignInCheck {
  override async check(): Promise<null> {
    const happens = meanwhile;
    meanwhile = null;
    await happens?.();
    return null;
  }
}

let keptOut: string | null = null;

/** Keeps one user out, whoever they have become. */
class KeptOut extends SignInCheck {
  override check({ user }: Admission): Promise<null> {
    return user.id === keptOut ? Promise.reject(forbidden()) : Promise.resolve(null);
  }
}

beforeAll(async () => {
  // What it registers would decide for others, too.
  test = await startTestApp({ env: { ROLE: 'api' } });
  world = await World.create(test);
  accounts = new Accounts(world);
  await addSite(world);
  await enableSms(world);
  const checks = test.app.get(SignInChecks, { strict: false });
  for (const check of [new Meanwhile(), new KeptOut()]) checks.register(check);
});
afterAll(() => test.close());

describe('two accounts of one person', () => {
  it('become one: credentials, profile and wallets of both, one session, and mails to both addresses', async () => {
    const { ada, eve } = await accounts.offered({
      ada: { firstName: 'Ada' },
      eve: { lastName: 'Lovelace', metadata: { a: 1 } },
    });
    const key = newKey();
    expect((await accounts.post('/verify/link', eve.jwt, await keySignIn(world, key))).status).toBe(200);
    const merged = await accounts.post('/users/merge', ada.jwt);
    expect(merged.status).toBe(200);
    const { user, jwt } = merged.body;
    expect(user).toMatchObject({ id: ada.userId, firstName: 'Ada', lastName: 'Lovelace', email: ada.email });
    const addresses = user.verifiedCredentials.map(({ email, address }) => email ?? address);
    expect(addresses.toSorted()).toEqual([ada.email, eve.email, key.address].toSorted());
    const wallets = await rowsOf<{ user: string }>(
      test,
      'SELECT user_id AS user FROM wallets WHERE environment_id = $1 AND address = $2',
      [world.environmentId, key.address],
    );
    expect(wallets).toEqual([{ user: ada.userId }]);
    expect((await accounts.walletOwner(key)).answer.user.id).toBe(ada.userId);
    for (const email of [ada.email, eve.email])
      expect(accounts.mailsTo(email)).toContainEqual(expect.stringContaining('accounts were merged'));
    expect(user.verifiedCredentials.find(({ email }) => email === eve.email)?.previous_users).toEqual([eve.userId]);
    expect(await Promise.all([ada.jwt, eve.jwt, jwt].map((token) => accounts.isLive(token)))).toEqual([
      false,
      false,
      true,
    ]);
    for (const email of [ada.email, eve.email]) expect((await world.signIn(email)).userId).toBe(ada.userId);
    expect((await world.api.get(world.path(`/users/${eve.userId}`))).status).toBe(404);
    const names = (await eventsOf(test, world.environmentId, ada.userId)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['user.merged', 'user.updated']));
  });

  it('continue for no longer than the session would have: its token ends with it', async () => {
    const { ada } = await accounts.offered({});
    // Nearer than the end of any token of a new session.
    await rowsOf(test, "UPDATE sessions SET expires_at = now() + interval '10 minutes' WHERE id = $1", [ada.sessionId]);
    const endOf = async (id: unknown) =>
      (await rowsOf<{ at: Date }>(test, 'SELECT expires_at AS at FROM sessions WHERE id = $1', [id]))[0]!.at;
    const end = await endOf(ada.sessionId);
    const { jwt } = (await accounts.post('/users/merge', ada.jwt)).body;
    expect(await accounts.isLive(jwt)).toBe(true);
    expect(decodeJwt(jwt).exp).toBe(Math.floor(end.getTime() / 1000));
    expect(await endOf(decodeJwt(jwt)['sid'])).toEqual(end);
  });

  it('give no fresh proof by merged credentials in the existing session', async () => {
    const eve = await world.signIn(newEmail());
    const ada = await world.signIn(newEmail());
    expect(codeOf(await accounts.verifyEmail(ada.jwt, eve.email))).toBe('merge_accounts_confirmation');
    const { jwt } = (await accounts.post('/users/merge', ada.jwt)).body;
    const theirs = await accounts.verifyEmail(jwt, eve.email, ['wallet:export']);
    expect([theirs.status, codeOf(theirs)]).toEqual([403, 'fresh_proof_required']);
    const own = await accounts.verifyEmail(jwt, ada.email, ['wallet:export']);
    expect([own.status, typeof own.body.elevatedAccessToken]).toEqual([200, 'string']);
  });

  it('keep the metadata of both', async () => {
    const { ada, eve } = await accounts.offered();
    const note = (userId: string, privateMetadata: object) =>
      world.api.put(world.path(`/users/${userId}`), { privateMetadata }, { expect: 200 });
    await note(eve.userId, { barred: true, plan: 'gold' });
    await note(ada.userId, { plan: 'none' });
    const merged = await accounts.post('/users/merge', ada.jwt);
    expect(merged.status).toBe(200);
    expect(JSON.stringify(merged.body)).not.toContain('barred');
    const path = world.path(`/users/${ada.userId}`);
    const { body } = await world.api.get<{ user: { privateMetadata?: object } }>(path, { expect: 200 });
    expect(body.user.privateMetadata).toEqual({ barred: true, plan: 'none' });
    await test.app.get(Unmerges).undo(world.environmentId, ada.userId);
    const restored = await world.api.get<{ user: { privateMetadata?: object } }>(path, { expect: 200 });
    expect(restored.body.user.privateMetadata).toEqual({ plan: 'none' });
  });

  it('need a decision for each conflict, and no others', async () => {
    const { ada, eve } = await accounts.offered({
      ada: { alias: 'A', country: 'GB' },
      eve: { alias: 'E', country: 'FR' },
    });
    const asked = await accounts.post('/users/merge', ada.jwt);
    expect(codeOf(asked)).toBe('merge_accounts_confirmation');
    const { conflicts } = asked.body.payload!.mergeConflicts!;
    expect(
      conflicts.map(({ field, fromUser, currentUser }) => [field.name, fromUser.value, currentUser.value]),
    ).toEqual([
      ['alias', 'E', 'A'],
      ['country', 'FR', 'GB'],
    ]);
    const answer = (...chosen: [string, string][]) =>
      accounts.post('/verify/merge', ada.jwt, {
        mergeUserResolutions: chosen.map(([fieldKey, userId]) => ({ fieldKey, userId, type: 'standard' })),
      });
    expect(codeOf(await answer(['alias', eve.userId]))).toBe('merge_accounts_invalid');
    expect(codeOf(await answer(['alias', eve.userId], ['email', eve.userId], ['country', ada.userId]))).toBe(
      'merge_accounts_invalid',
    );
    expect(codeOf(await answer(['alias', crypto.randomUUID()], ['country', ada.userId]))).toBe(
      'merge_accounts_invalid',
    );
    const merged = await answer(['alias', eve.userId], ['country', ada.userId]);
    expect(merged.body.user).toMatchObject({ id: ada.userId, alias: 'E', country: 'GB' });
  });

  it('are shown values that are cut between characters', async () => {
    const [own, theirs] = ['🦉', '🦊'].map((character) => character.repeat(255));
    const { ada } = await accounts.offered({ ada: { alias: own }, eve: { alias: theirs } });
    const asked = await accounts.post('/users/merge', ada.jwt);
    const [conflict] = asked.body.payload!.mergeConflicts!.conflicts;
    expect([conflict!.currentUser.value, conflict!.fromUser.value]).toEqual(
      ['🦉', '🦊'].map((character) => character.repeat(127)),
    );
  });

  it('need a decision for a custom field as well, and a unique value moves with it', async () => {
    const field = { name: 'Seat', enabled: true, required: false, fieldType: 'text', position: 1 };
    const made = await world.api.post<{ id: string; key: string }>(
      world.path('/custom/fields'),
      { ...field, validationRules: { unique: true } },
      { expect: 201 },
    );
    const { id, key } = made.body;
    // Fields are looked up once in a second.
    const known = test.app.get(KnownCustomFields, { strict: false });
    await eventually('the field is asked for', async () =>
      (await known.read(world.environmentId)).customFields?.some(({ name }) => name === key),
    );
    const [theirs, own] = [newEmail(), newEmail()];
    const { ada, eve } = await accounts.offered({
      ada: { metadata: { [key]: own } },
      eve: { metadata: { [key]: theirs } },
    });
    const asked = await accounts.post('/users/merge', ada.jwt);
    expect(codeOf(asked)).toBe('merge_accounts_confirmation');
    const [conflict] = asked.body.payload!.mergeConflicts!.conflicts;
    expect(conflict).toMatchObject({
      field: { name: key, type: 'custom' },
      fromUser: { userId: eve.userId, value: theirs },
      currentUser: { userId: ada.userId, value: own },
    });
    const resolutions = [{ fieldKey: key, userId: eve.userId, type: 'custom' }];
    const merged = await accounts.post('/verify/merge', ada.jwt, { mergeUserResolutions: resolutions });
    expect([merged.status, merged.body.user['metadata']]).toEqual([200, { [key]: theirs }]);
    const holders = await rowsOf<{ user: string }>(
      test,
      'SELECT user_id AS user FROM custom_field_values WHERE environment_id = $1 AND field_id = $2',
      [world.environmentId, id],
    );
    expect(holders).toEqual([{ user: ada.userId }]);
    await test.app.get(Unmerges).undo(world.environmentId, ada.userId);
    expect((await accounts.user(ada.userId))['metadata']).toEqual({ [key]: own });
    expect((await accounts.user(eve.userId))['metadata']).toEqual({ [key]: theirs });
    await world.api.delete(`/custom/fields/${id}`, { expect: 204 });
  });

  it('are not merged without a proof of the other one, nor five minutes after it', async () => {
    const { jwt } = await world.signIn(newEmail());
    expect(codeOf(await accounts.post('/users/merge', jwt))).toBe('merge_accounts_invalid');
    const { ada } = await accounts.offered();
    await rowsOf(test, 'UPDATE pending_merges SET expires_at = now() WHERE session_id = $1', [ada.sessionId]);
    expect(codeOf(await accounts.post('/users/merge', ada.jwt))).toBe('merge_accounts_invalid');
    const another = await accounts.offered();
    const elsewhere = await world.signIn(another.ada.email);
    expect(codeOf(await accounts.post('/users/merge', elsewhere.jwt))).toBe('merge_accounts_invalid');
  });

  it('are not merged once the other one has unlinked the credential that was proven for it', async () => {
    const { ada, eve } = await accounts.offered();
    const linked = await accounts.post('/verify/link', eve.jwt, await keySignIn(world));
    expect(linked.status).toBe(200);
    const address = linked.body.user.verifiedCredentials.find(({ email }) => email === eve.email)!;
    const unlinked = await accounts.post('/verify/unlink', eve.jwt, { verifiedCredentialId: address.id });
    expect(unlinked.status).toBe(200);
    const refused = await accounts.post('/users/merge', ada.jwt);
    expect([refused.status, codeOf(refused)]).toEqual([422, 'merge_accounts_invalid']);
    expect((await accounts.user(eve.userId)).verifiedCredentials).toHaveLength(1);
    expect(await Promise.all([ada.jwt, eve.jwt].map((token) => accounts.isLive(token)))).toEqual([true, true]);
  });

  it('are not merged while a rule added after the offer refuses the other one', async () => {
    const { ada, eve } = await accounts.offered();
    const members = { name: 'Members', outcome: 'block' };
    const { id } = (await world.api.post<{ id: string }>(world.path('/allowlists'), members, { expect: 201 })).body;
    await world.api.post(`/allowlists/${id}/entries`, { email: ada.email }, { expect: 201 });
    await world.api.put(`/allowlists/${id}/enable`, undefined, { expect: 200 });
    const refused = await accounts.post('/users/merge', ada.jwt);
    await world.api.delete(`/allowlists/${id}`, { expect: 204 });
    expect([refused.status, codeOf(refused)]).toEqual([422, 'merge_accounts_invalid']);
    expect((await accounts.user(eve.userId)).email).toBe(eve.email);
    expect((await accounts.post('/users/merge', ada.jwt)).status).toBe(200);
  });

  it('are not merged while a rule keeps the remaining one out: nothing changes', async () => {
    const { ada, eve } = await accounts.offered();
    const stored = async () => {
      const tables = [
        'users',
        'credentials',
        'identifier_claims',
        'sessions',
        'pending_merges',
        'user_merges',
        'events',
      ];
      const rows = tables.map((table) => `SELECT to_jsonb(t)::text AS row FROM ${table} t WHERE t.environment_id = $1`);
      return rowsOf(test, `${rows.join(' UNION ALL ')} ORDER BY 1`, [world.environmentId]);
    };
    const before = await stored();
    keptOut = ada.userId;
    const refused = await accounts.post('/users/merge', ada.jwt);
    keptOut = null;
    expect([refused.status, codeOf(refused)]).toEqual([403, 'forbidden']);
    expect(await stored()).toEqual(before);
    const merged = await accounts.post('/users/merge', ada.jwt);
    expect([merged.status, merged.body.user.id]).toEqual([200, ada.userId]);
    expect((await world.signIn(eve.email)).userId).toBe(ada.userId);
  });

  it('are not offered a merge for a wallet message that was used before or has an unknown nonce', async () => {
    const thief = await world.signIn(newEmail());
    const key = newKey();
    const used = await keySignIn(world, key);
    await world.anonymous.post(world.sdk('/verify'), used, { expect: 200 });
    const address = { address: key.address, nonce: randomBytes(16).toString('hex') };
    const text = messageOf(address);
    const unissued = claimOf(key.address, text, await key.signMessage({ message: text }));
    for (const body of [used, unissued]) {
      for (const path of ['/verify/link', '/verify/transfer'])
        expect([path, codeOf(await accounts.post(path, thief.jwt, body))]).toEqual([path, 'invalid_nonce']);
    }
    expect(codeOf(await accounts.post('/users/merge', thief.jwt))).toBe('merge_accounts_invalid');
    // One that is offered may be moved with the same message instead.
    const fresh = await keySignIn(world, key);
    expect(codeOf(await accounts.post('/verify/link', thief.jwt, fresh))).toBe('merge_accounts_confirmation');
    const moving = { ...fresh, skipEmptyAccountCheck: true };
    expect((await accounts.post('/verify/transfer', thief.jwt, moving)).status).toBe(200);
  });

  it('are merged once, with concurrent requests', async () => {
    const { ada, eve } = await accounts.offered();
    const answers = await Promise.all(Array.from({ length: 50 }, () => accounts.post('/users/merge', ada.jwt)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.every(({ status }) => [200, 401, 422].includes(status))).toBe(true);
    const merges = await rowsOf(test, 'SELECT 1 FROM user_merges WHERE from_user_id = $1', [eve.userId]);
    expect(merges).toHaveLength(1);
  });

  it('are merged one way if both ways are requested concurrently, without a deadlock', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { ada, eve } = await accounts.offered();
      await accounts.verifyEmail(eve.jwt, ada.email);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, at) => accounts.post('/users/merge', (at % 2 ? ada : eve).jwt)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const left = await rowsOf<{ id: string }>(test, 'SELECT id FROM users WHERE id = ANY ($1::uuid[])', [
        [ada.userId, eve.userId],
      ]);
      expect(left).toHaveLength(1);
    }
  });

  it('are not merged by one factor where the other one has two', async () => {
    await allowSecondFactors(world);
    await roomInStep();
    const [ada, eve] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
    const late = await accounts.offered();
    await addDevice(world, eve.jwt);
    const refused = await accounts.verifyEmail(ada.jwt, eve.email);
    expect([refused.status, codeOf(refused)]).toEqual([422, 'email_already_exists']);
    await addDevice(world, late.eve.jwt);
    expect(codeOf(await accounts.post('/users/merge', late.ada.jwt))).toBe('merge_accounts_invalid');
    await world.api.put(world.path(''), { security: { mfa: { enabled: false, methods: [] } } }, { expect: 200 });
  });

  describe('of which one has a second step in its mailbox', () => {
    /** Somebody with an address and a number. */
    const person = async () => {
      const [eve, phone] = [await world.signIn(newEmail()), newPhone()];
      expect((await verifyPhone(world, eve.jwt, phone)).status).toBe(200);
      return { ...eve, phone };
    };
    /** A new account whose session has given the second factor that the environment asks for. */
    const stranger = async (): Promise<string> => {
      const { jwt } = await world.signIn(newEmail());
      await addDevice(world, jwt);
      return refreshed(world, jwt);
    };
    const answerOf = ({ status, body }: Awaited<ReturnType<typeof verifyPhone>>) => [status, body.code];
    const OFFERED = [422, 'merge_accounts_confirmation'];
    const change = (security: object) => world.api.put(world.path(''), { security }, { expect: 200 });
    afterEach(async () => {
      meanwhile = null;
      await change({ mfa: { enabled: false, required: false, methods: [] }, confirmNewDevices: false });
    });

    it('are not merged with another factor alone if everybody must give two', async () => {
      await roomInStep();
      const [eve, late] = [await person(), await world.signIn(newEmail())];
      expect(answerOf(await verifyPhone(world, late.jwt, eve.phone))).toEqual(OFFERED);
      await allowSecondFactors(world, { required: true, methods: ['totp', 'email'] });
      await addDevice(world, late.jwt);
      const confirmed = await accounts.post('/users/merge', await refreshed(world, late.jwt));
      expect(answerOf(confirmed)).toEqual([422, 'merge_accounts_invalid']);
      const ada = await stranger();
      expect(answerOf(await verifyPhone(world, ada, eve.phone))).toEqual([422, 'credential_already_linked']);
      expect(answerOf(await accounts.post('/users/merge', ada))).toEqual([422, 'merge_accounts_invalid']);
      expect((await accounts.user(eve.userId)).email).toBe(eve.email);
      expect(answerOf(await accounts.verifyEmail(ada, eve.email))).toEqual(OFFERED);
      expect((await accounts.post('/users/merge', ada)).status).toBe(200);
    });

    it('keep their wallets if everybody must give two', async () => {
      await roomInStep();
      const [eve, key] = [await world.signIn(newEmail()), newKey()];
      expect((await accounts.post('/verify/link', eve.jwt, await keySignIn(world, key))).status).toBe(200);
      await allowSecondFactors(world, { required: true, methods: ['totp', 'email'] });
      const moved = await accounts.post('/verify/transfer', await stranger(), await keySignIn(world, key));
      expect(answerOf(moved)).toEqual([422, 'reassign_wallet_error']);
    });

    it('are not merged even if the address was proven at the same time', async () => {
      await roomInStep();
      const { body, e164 } = newPhone();
      const sent = await world.anonymous.post<{ verificationUUID: string }>(
        world.sdk('/smsVerifications/create'),
        body,
        { expect: 201 },
      );
      const code = { verificationUUID: sent.body.verificationUUID, verificationToken: world.code(e164) };
      const signedIn = await accounts.post('/smsVerifications/signin', '', code);
      const { id } = signedIn.body.user;
      await allowSecondFactors(world, { required: true, methods: ['totp', 'email'] });
      const ada = await stranger();
      expect(answerOf(await verifyPhone(world, ada, { body, e164 }))).toEqual(OFFERED);
      meanwhile = () =>
        rowsOf(
          test,
          `INSERT INTO credentials (environment_id, id, user_id, format, verified_at, email)
           VALUES ($1, gen_random_uuid(), $2, 'email', now(), $3)`,
          [world.environmentId, id, newEmail()],
        );
      expect(answerOf(await accounts.post('/users/merge', ada))).toEqual([422, 'merge_accounts_invalid']);
      expect((await accounts.user(id)).verifiedCredentials).toHaveLength(2);
    });

    it('are not merged with another factor alone if it confirms new devices', async () => {
      const [eve, ada] = [await person(), await world.signIn(newEmail())];
      await change({ confirmNewDevices: true });
      expect(answerOf(await verifyPhone(world, ada.jwt, eve.phone))).toEqual([422, 'credential_already_linked']);
      expect(answerOf(await accounts.verifyEmail(ada.jwt, eve.email))).toEqual(OFFERED);
      expect((await accounts.post('/users/merge', ada.jwt)).status).toBe(200);
    });

    it('are merged with another factor if everybody must give two and none is a code by mail', async () => {
      await roomInStep();
      const eve = await person();
      await allowSecondFactors(world, { required: true, methods: ['totp'] });
      const ada = await stranger();
      expect(answerOf(await verifyPhone(world, ada, eve.phone))).toEqual(OFFERED);
      expect((await accounts.post('/users/merge', ada)).status).toBe(200);
    });
  });

  it('keep the embedded wallet by merging the other way round', async () => {
    const { ada, eve } = await accounts.offered();
    await world.api.post(
      world.path('/embeddedWallets'),
      { identifier: eve.email, type: 'email', chains: ['EVM'] },
      { expect: 201 },
    );
    expect(codeOf(await accounts.post('/users/merge', ada.jwt))).toBe('merge_accounts_invalid');
    expect((await accounts.user(eve.userId)).email).toBe(eve.email);
    await accounts.verifyEmail(eve.jwt, ada.email);
    expect((await accounts.post('/users/merge', eve.jwt)).status).toBe(200);
  });

  it('with a hundred credentials are merged without a statement for each', async () => {
    const { ada, eve } = await accounts.offered();
    await rowsOf(
      test,
      `INSERT INTO credentials (environment_id, id, user_id, format, verified_at, email)
       SELECT $1, gen_random_uuid(), $2::uuid, 'email', now(), 'many-' || n || '-' || $2::uuid || '@example.com'
       FROM generate_series(1, 100) AS n`,
      [world.environmentId, eve.userId],
    );
    const merge = ({ jwt }: SignedIn) => accounts.post('/users/merge', jwt);
    // After another merge, by which what is remembered for a second is known.
    const counted = async (person: SignedIn) => {
      const { ada: before } = await accounts.offered();
      return countStatements(
        () => merge(person),
        () => merge(before),
      );
    };
    const [few, many] = [await counted((await accounts.offered()).ada), await counted(ada)];
    expect(many.result.body.user.verifiedCredentials).toHaveLength(102);
    // What was remembered may have to be looked up again, once; nothing is asked for each credential.
    const times = (statements: readonly string[], text: string) => statements.filter((one) => one === text).length;
    const more = [...new Set(many.statements)].filter(
      (text) => times(many.statements, text) > Math.max(1, times(few.statements, text)),
    );
    expect(more).toEqual([]);
  });
});

describe('an operator', () => {
  it('undoes a merge once, restoring both users', async () => {
    const { ada, eve } = await accounts.offered({
      eve: { username: `eve-${newEmail().slice(5, 15)}`, metadata: { a: 1 } },
    });
    const before = await accounts.user(eve.userId);
    const merged = await accounts.post('/users/merge', ada.jwt);
    expect(merged.body.user['username']).toBe(before['username']);
    const unmerges = test.app.get(Unmerges, { strict: false });
    const tries = await Promise.allSettled(
      Array.from({ length: 50 }, () => unmerges.undo(world.environmentId, ada.userId)),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const back = await accounts.user(eve.userId);
    expect(back).toMatchObject({ username: before['username'], metadata: { a: 1 }, email: eve.email });
    expect(await accounts.user(ada.userId)).not.toHaveProperty('username');
    for (const one of [ada, eve]) expect((await world.signIn(one.email)).userId).toBe(one.userId);
    expect(await accounts.isLive(merged.body.jwt)).toBe(false);
    const names = (await eventsOf(test, world.environmentId, ada.userId)).map(({ name }) => name);
    expect(names).toContain('user.unmerged');
  });

  it('leaves the remaining user the metadata that were set, changed or removed since', async () => {
    const { ada, eve } = await accounts.offered({
      ada: { metadata: { kept: 1, changed: 1, removed: 1 } },
      eve: { metadata: { theirs: 2, raised: 2, changed: 2 } },
    });
    const path = world.path(`/users/${ada.userId}`);
    const note = (id: string, privateMetadata: object) =>
      world.api.put(world.path(`/users/${id}`), { privateMetadata }, { expect: 200 });
    await note(eve.userId, { plan: 'gold' });
    expect((await accounts.post('/users/merge', ada.jwt)).status).toBe(200);
    const { jwt } = await world.signIn(ada.email);
    await accounts.update(jwt, { metadata: { kept: 1, changed: 3, theirs: 2, raised: 3, added: 4 } });
    await note(ada.userId, { plan: 'gold', barred: true });
    await test.app.get(Unmerges, { strict: false }).undo(world.environmentId, ada.userId);
    const { user } = (await world.api.get<{ user: Record<string, unknown> }>(path, { expect: 200 })).body;
    expect(user['metadata']).toEqual({ kept: 1, changed: 3, raised: 3, added: 4 });
    expect(user['privateMetadata']).toEqual({ barred: true });
    expect((await accounts.user(eve.userId))['metadata']).toEqual({ theirs: 2, raised: 2, changed: 2 });
  });

  it('undoes the last merge into a user first, and then the previous one', async () => {
    const { ada, eve } = await accounts.offered();
    const { jwt } = (await accounts.post('/users/merge', ada.jwt)).body;
    const bob = await world.signIn(newEmail());
    expect(codeOf(await accounts.verifyEmail(jwt, bob.email))).toBe('merge_accounts_confirmation');
    expect((await accounts.post('/users/merge', jwt)).status).toBe(200);
    const unmerges = test.app.get(Unmerges, { strict: false });
    for (const { userId } of [bob, eve])
      expect((await unmerges.undo(world.environmentId, ada.userId)).fromUserId).toBe(userId);
    for (const one of [ada, eve, bob]) expect((await world.signIn(one.email)).userId).toBe(one.userId);
  });

  it('restores nothing that has become somebody else’s since', async () => {
    const [eve, key] = [await world.signIn(newEmail()), newKey()];
    expect((await accounts.post('/verify/link', eve.jwt, await keySignIn(world, key))).status).toBe(200);
    const [ada, zed] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
    expect(codeOf(await accounts.verifyEmail(ada.jwt, eve.email))).toBe('merge_accounts_confirmation');
    expect((await accounts.post('/users/merge', ada.jwt)).status).toBe(200);
    const moved = await accounts.post('/verify/transfer', zed.jwt, await keySignIn(world, key));
    expect([moved.status, moved.body.user.id]).toEqual([200, zed.userId]);
    await test.app.get(Unmerges, { strict: false }).undo(world.environmentId, ada.userId);
    expect((await accounts.user(eve.userId)).verifiedCredentials.map(({ email }) => email)).toEqual([eve.email]);
    expect((await accounts.walletOwner(key)).answer.user.id).toBe(zed.userId);
  });

  it('leaves the remaining user what they unlinked and linked again since, with its sign-in', async () => {
    const { ada, eve } = await accounts.offered();
    const { jwt, user } = (await accounts.post('/users/merge', ada.jwt)).body;
    const { id } = user.verifiedCredentials.find(({ email }) => email === eve.email)!;
    expect((await accounts.post('/verify/unlink', jwt, { verifiedCredentialId: id })).status).toBe(200);
    expect((await accounts.verifyEmail(jwt, eve.email)).status).toBe(200);
    await test.app.get(Unmerges, { strict: false }).undo(world.environmentId, ada.userId);
    for (const email of [ada.email, eve.email]) expect((await world.signIn(email)).userId).toBe(ada.userId);
    expect((await accounts.user(eve.userId)).verifiedCredentials).toEqual([]);
  });

  it('leaves an identifier that both users held with the one who still has it', async () => {
    const { ada, eve } = await accounts.offered();
    await rowsOf(
      test,
      `INSERT INTO credentials (environment_id, id, user_id, format, email, public_identifier, sign_in_enabled)
       VALUES ($1, gen_random_uuid(), $2, 'email', $3, $3, false)`,
      [world.environmentId, ada.userId, eve.email],
    );
    const { jwt } = (await accounts.post('/users/merge', ada.jwt)).body;
    const { user } = (await accounts.verifyEmail(jwt, eve.email)).body;
    const moved = user.verifiedCredentials.find(({ previous_users: former }) => former?.includes(eve.userId))!;
    expect((await accounts.post('/verify/unlink', jwt, { verifiedCredentialId: moved.id })).status).toBe(200);
    await test.app.get(Unmerges, { strict: false }).undo(world.environmentId, ada.userId);
    expect((await accounts.user(ada.userId)).verifiedCredentials.map(({ email }) => email).toSorted()).toEqual(
      [ada.email, eve.email].toSorted(),
    );
    expect((await world.signIn(eve.email)).userId).toBe(ada.userId);
  });

  it.each(['the remaining', 'the restored'] as const)(
    'leaves %s user no proof of an identifier that both held and the other had proven',
    async (which) => {
      const { ada, eve } = await accounts.offered();
      const [owner, other] = which === 'the remaining' ? [eve, ada] : [ada, eve];
      await rowsOf(
        test,
        `INSERT INTO credentials (environment_id, id, user_id, format, email, public_identifier, sign_in_enabled)
         VALUES ($1, gen_random_uuid(), $2, 'email', $3, $3, false)`,
        [world.environmentId, other.userId, owner.email],
      );
      const { jwt } = (await accounts.post('/users/merge', ada.jwt)).body;
      expect((await accounts.verifyEmail(jwt, owner.email)).status).toBe(200);
      await test.app.get(Unmerges, { strict: false }).undo(world.environmentId, ada.userId);
      const proven = async ({ userId }: SignedIn) =>
        (await accounts.user(userId)).verifiedCredentials
          .filter((one) => 'verifiedAt' in one)
          .map(({ email }) => email);
      expect([await proven(owner), await proven(other)]).toEqual([[owner.email], [other.email]]);
      expect((await world.signIn(owner.email)).userId).toBe(owner.userId);
    },
  );

  it('cannot undo it after seven days, nor where nothing was merged', async () => {
    const { ada } = await accounts.offered();
    await accounts.post('/users/merge', ada.jwt);
    await rowsOf(test, "UPDATE user_merges SET created_at = now() - interval '8 d' WHERE user_id = $1", [ada.userId]);
    const refused = expect.objectContaining({ code: 'nothing_to_unmerge' });
    const unmerges = test.app.get(Unmerges, { strict: false });
    await expect(unmerges.undo(world.environmentId, ada.userId)).rejects.toEqual(refused);
  });

  it('merges two users who share an identifier, also if second steps are taken by mail', async () => {
    const email = newEmail();
    const own = await world.signIn(newEmail());
    const path = world.path('/users');
    const made = await world.api.post<{ user: { id: string } }>(path, { email }, { expect: 201 });
    await rowsOf(
      test,
      `INSERT INTO credentials (environment_id, id, user_id, format, email) VALUES ($1, gen_random_uuid(), $2, 'email', $3)`,
      [world.environmentId, own.userId, email],
    );
    const change = (security: object) => world.api.put(world.path(''), { security }, { expect: 200 });
    await change({ confirmNewDevices: true });
    const pair = { userId: made.body.user.id, fromUserId: own.userId };
    await test.app.get(DuplicateMerges).merge(world.environmentId, pair, pair.userId);
    await change({ confirmNewDevices: false });
    const { verifiedCredentials } = await accounts.user(pair.userId);
    expect(verifiedCredentials.map((each) => each.email)).toContain(own.email);
  });

  it('sees who shares an identifier', async () => {
    const email = newEmail();
    const ids: string[] = [];
    for (const spelling of [email, email.toUpperCase()]) {
      const made = await world.api.post<{ user: { id: string } }>(
        world.path('/users'),
        { email: spelling },
        { expect: 201 },
      );
      ids.push(made.body.user.id);
    }
    const duplicates = await test.app.get(DuplicateMerges).list(world.environmentId);
    expect(duplicates).toContainEqual({ format: 'email', identifier: email, userIds: ids.toSorted() });
    const listed = async (query: string) => {
      const path = world.path(`/users?filter[filterDuplicates]=${query}`);
      return (await world.api.get<{ count: number; users: { id: string }[] }>(path, { expect: 200 })).body;
    };
    const mine = await listed(`true&filter[filterValue]=${email}&filter[filterColumn]=email`);
    expect([mine.count, mine.users.map(({ id }) => id).toSorted()]).toEqual([2, ids.toSorted()]);
    const { count } = await listed('true');
    expect(count).toBeGreaterThanOrEqual(2);
    expect((await listed('false')).count).toBeGreaterThan(count);
    const alone = await world.signIn(newEmail());
    expect((await listed(`true&filter[filterValue]=${alone.userId}&filter[filterColumn]=id`)).count).toBe(0);
  });
});
