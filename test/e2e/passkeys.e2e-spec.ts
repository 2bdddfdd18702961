import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DevInbox } from '../../src/providers/index.js';
import { Accounts, codeOf } from '../support/accounts.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { Authenticator } from '../support/authenticator.js';
import { waitingForMe } from '../support/lock-waits.js';
import { PasskeySite, type Person } from '../support/passkeys.js';
import { withClient } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { countStatements, type SentStatement } from '../support/statements.js';
import { World, newEmail } from '../support/world.js';

let test: TestApp;
let world: World;
let site: PasskeySite;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
  site = await PasskeySite.register(world);
});
afterAll(() => test.close());

const count = async (table: string, where: string, value: string): Promise<number> => {
  const sql = `SELECT count(*)::int AS rows FROM ${table} WHERE environment_id = $1 AND ${where} = $2`;
  return (await rowsOf<{ rows: number }>(test, sql, [world.environmentId, value]))[0]!.rows;
};
const mailsTo = (email: string): (string | null)[] =>
  test.app
    .get(DevInbox)
    .entries.filter(({ to, code }) => to === email && !code)
    .map(({ subject }) => subject);
const idOf = async (person: Person): Promise<string> => (await site.list(person)).body.passkeys[0]!['id']!;

describe('a new passkey', () => {
  it('is asked for as one that is found without a name and unlocked by its person', async () => {
    const person = await site.person();
    const options = await site.creation(person);
    expect(options).toMatchObject({
      rp: { id: site.rpId, name: expect.any(String) },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      excludeCredentials: [],
    });
    expect(options.pubKeyCredParams.map(({ alg }) => alg)).toEqual([-7, -8, -257]);
    expect(Buffer.from(options.challenge, 'base64url')).toHaveLength(32);
    const handle = Buffer.from(options.user.id, 'base64url');
    expect(handle).toHaveLength(64);
    expect(options.user.name).toBe(person.email);
    const stored = await rowsOf<{ row: string }>(
      test,
      'SELECT c::text AS row FROM passkey_challenges c WHERE environment_id = $1',
      [world.environmentId],
    );
    expect(stored.map(({ row }) => row).join()).not.toContain(options.challenge);
  });

  it('is a credential of its user, who is told, and the next one knows of it', async () => {
    const person = await site.person();
    const authenticator = await site.add(person);
    const { body } = await site.list(person);
    expect(body).toEqual({
      count: 1,
      passkeys: [
        {
          id: expect.any(String),
          credentialId: authenticator.id,
          origin: site.origin,
          userAgent: expect.any(String),
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
        },
      ],
    });
    const next = await site.creation(person);
    expect(next.user.id).toBe(authenticator.userHandle);
    expect(next.excludeCredentials).toEqual([{ id: authenticator.id, transports: ['internal'], type: 'public-key' }]);
    const { body: me } = await world.anonymous.get<{ verifiedCredentials: object[] }>(world.sdk('/users'), {
      token: person.jwt,
      expect: 200,
    });
    expect(me.verifiedCredentials).toContainEqual(
      expect.objectContaining({ id: body.passkeys[0]!['id'], format: 'passkey', public_identifier: authenticator.id }),
    );
    const events = await eventsOf(test, world.environmentId, person.userId);
    expect(events.at(-1)).toMatchObject({ name: 'user.updated', userId: person.userId });
    expect(mailsTo(person.email)).toEqual([expect.stringContaining('A passkey was added')]);
  });

  it('that is sent fifty times at once is stored once', async () => {
    const person = await site.person();
    const answer = new Authenticator().create(await site.creation(person), site);
    const answers = await Promise.all(Array.from({ length: 50 }, () => site.store(person, answer)));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, ...Array(49).fill(422)]);
    expect((await site.list(person)).body.count).toBe(1);
    expect(mailsTo(person.email)).toHaveLength(1);
  });

  it('of one credential id that fifty users claim at once is one user’s', async () => {
    const authenticator = new Authenticator();
    const people = await Promise.all(Array.from({ length: 50 }, () => site.person()));
    const made = await Promise.all(
      people.map(async (person) => ({ person, answer: authenticator.create(await site.creation(person), site) })),
    );
    const answers = await Promise.all(made.map(({ person, answer }) => site.store(person, answer)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const codes = answers.flatMap(({ status, body }) => (status === 200 ? [] : [body.code]));
    expect(new Set(codes)).toEqual(new Set(['passkey_already_registered']));
    expect(await count('passkeys', 'credential_id', authenticator.id)).toBe(1);
    expect(await count('credentials', 'public_identifier', authenticator.id)).toBe(1);
  });

  it('beyond ten is refused, however many come at once', async () => {
    const person = await site.person();
    const answers = [];
    for (let made = 0; made < 50; made += 1) {
      answers.push(new Authenticator().create(await site.creation(person), site));
    }
    const stored = await Promise.all(answers.map((answer) => site.store(person, answer)));
    expect(stored.filter(({ status }) => status === 200)).toHaveLength(10);
    const refused = stored.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['422 max_passkeys_per_user']),
    );
    expect((await site.list(person)).body.count).toBe(10);
  });

  it('is listed and asked for with all others where a merge brought more than ten together', async () => {
    const [ada, eve] = [await site.person(), await site.person()];
    for (let made = 0; made < 6; made += 1) for (const person of [ada, eve]) await site.add(person);
    const accounts = new Accounts(world);
    const offer = await accounts.verifyEmail(ada.jwt, eve.email);
    expect(codeOf(offer)).toBe('merge_accounts_confirmation');
    const { jwt } = (await accounts.post('/users/merge', ada.jwt)).body;
    const merged = { ...ada, jwt };
    const { passkeys, count: listed } = (await site.list(merged)).body;
    expect([passkeys.length, listed]).toEqual([12, 12]);
    expect((await site.request(merged)).allowCredentials).toHaveLength(12);
    expect((await site.creation(merged)).excludeCredentials).toHaveLength(12);
  });
});

/** Asked anew after a moment, whoever signs in how often. */
const REMEMBERED = ['screening.isOn', 'accessControl.listEnabled', 'signingKeys.listPublished'];

/** Without what is read again every few minutes. */
const namesOf = (sent: readonly SentStatement[]): string[] =>
  sent.map(({ name, text }) => name.replace(/\d+$/, '') || text).filter((name) => !REMEMBERED.includes(name));

describe('a sign-in by passkey', () => {
  it('names no passkey and opens a session of its user', async () => {
    const person = await site.person();
    const authenticator = await site.add(person);
    const options = await site.request();
    expect(options).toEqual({
      challenge: expect.any(String),
      rpId: site.rpId,
      allowCredentials: [],
      userVerification: 'required',
      timeout: 300_000,
    });
    const { status, body } = await site.signIn(authenticator.get(options, { ...site, flags: { bs: false } }));
    expect([status, body.user.id]).toEqual([200, person.userId]);
    expect(body.user.sessionId).not.toBe(person.sessionId);
    const [session] = await rowsOf<object>(test, 'SELECT amr, credential_id FROM sessions WHERE id = $1', [
      body.user.sessionId,
    ]);
    expect(session).toEqual({ amr: ['hwk', 'user'], credential_id: await idOf(person) });
  });

  it('holds the user before the passkey, like whoever unlinks it, so that the two never deadlock', async () => {
    const person = await site.person();
    const authenticator = await site.add(person);
    const answer = authenticator.get(await site.request(), site);
    const theirs = 'SELECT id FROM credentials WHERE user_id = $1';
    const { status } = await withClient(test.databaseUrl, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [person.userId]);
      const asked = site.signIn(answer);
      await eventually('the sign-in waits', async () => (await waitingForMe(client, 'users')) > 0);
      await client.query(`SELECT FROM passkeys WHERE id IN (${theirs}) FOR UPDATE NOWAIT`, [person.userId]);
      await client.query('COMMIT');
      return asked;
    });
    expect(status).toBe(200);
  });

  it('by an answer that is sent a hundred times at once opens one session', async () => {
    const person = await site.person();
    const authenticator = await site.add(person);
    const answer = authenticator.get(await site.request(), site);
    const answers = await Promise.all(Array.from({ length: 100 }, () => site.signIn(answer)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await count('sessions', 'user_id', person.userId)).toBe(2);
  });

  it('for the first time, fifty times at once, is of one user, and no user comes of it', async () => {
    const person = await site.person();
    const authenticator = new Authenticator();
    authenticator.step = 0;
    await site.add(person, authenticator);
    const options = await Promise.all(Array.from({ length: 50 }, () => site.request()));
    const answers = await Promise.all(options.map((each) => site.signIn(authenticator.get(each, site))));
    expect(answers.map(({ status, body }) => [status, body.user?.id])).toEqual(Array(50).fill([200, person.userId]));
    expect(await count('identifier_claims', 'identifier', authenticator.id)).toBe(1);
    const events = await eventsOf(test, world.environmentId, person.userId);
    expect(events.filter(({ name }) => name === 'user.created')).toHaveLength(1);
  });

  it('by an authenticator that counts takes each count once', async () => {
    const person = await site.person();
    const authenticator = await site.add(person);
    const options = await Promise.all(Array.from({ length: 20 }, () => site.request()));
    const sameCount = options.map((each) => {
      authenticator.count = 0;
      return authenticator.get(each, site);
    });
    const answers = await Promise.all(sameCount.map((answer) => site.signIn(answer)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const codes = answers.flatMap(({ status, body }) => (status === 200 ? [] : [body.code]));
    expect(new Set(codes)).toEqual(new Set(['passkey_counter_went_back']));
  });

  it('of one that is copied between devices says so, and keeps whether it is', async () => {
    const person = await site.person();
    const authenticator = new Authenticator();
    const copyable = { ...site, path: undefined, origin: site.origin, rpId: site.rpId, flags: { be: true } };
    expect((await site.store(person, authenticator.create(await site.creation(person), copyable))).status).toBe(200);
    const copied = { ...copyable, flags: { be: true, bs: true } };
    const { body } = await site.signIn(authenticator.get(await site.request(), copied));
    const [row] = await rowsOf<object>(
      test,
      `SELECT p.backed_up, p.last_used_at IS NOT NULL AS used, s.amr FROM passkeys p
       JOIN sessions s ON s.credential_id = p.id WHERE s.id = $1`,
      [body.user.sessionId],
    );
    expect(row).toEqual({ backed_up: true, used: true, amr: ['swk', 'user'] });
  });

  it('gives a fresh proof for what it is asked for, by a passkey of the user who is signed in', async () => {
    const person = await site.person();
    const authenticator = await site.add(person);
    const options = await site.request(person);
    expect(options.allowCredentials).toEqual([{ id: authenticator.id, type: 'public-key', transports: ['internal'] }]);
    const answer = authenticator.get(options, site);
    const { status, body } = await site.signIn({ ...answer, requestedScopes: ['wallet:export'] });
    expect([status, body.user.id]).toEqual([200, person.userId]);
    expect(body.elevatedAccessToken).toEqual(expect.any(String));
  });

  it('makes no token for a second factor, and says so', async () => {
    const person = await site.person();
    const authenticator = await site.add(person);
    const answer = { ...authenticator.get(await site.request(), site), createMfaToken: { singleUse: true } };
    const { status, body } = await site.signIn(answer);
    expect([status, body.code]).toEqual([422, 'passkey_action_token_unavailable']);
  });

  it('works on other sites of the same owner, and with a related domain on others', async () => {
    const person = await site.person();
    const authenticator = await site.add(person);
    const sibling = `https://www.${site.rpId}`;
    const foreign = `https://www.other-${site.rpId}`;
    for (const origin of [sibling, foreign])
      await world.owner.post(world.path('/origins'), { origin }, { expect: 201 });
    const ask = (origin: string, query = '') =>
      world.anonymous.get<{ challenge: string; rpId: string }>(site.path(`/signin${query}`), {
        headers: { origin },
        expect: 200,
      });
    expect((await ask(foreign)).body.rpId).toBe(`other-${site.rpId}`);
    for (const [origin, query] of [
      [sibling, ''],
      [foreign, `?relatedOriginRpId=${site.rpId}`],
    ] as const) {
      const { body: options } = await ask(origin, query);
      expect(options.rpId).toBe(site.rpId);
      expect((await site.signIn(authenticator.get(options, { origin, rpId: site.rpId }))).status).toBe(200);
    }
  });

  it('takes a known number of statements', async () => {
    const person = await site.person();
    const authenticator = await site.add(person);
    await site.signIn(authenticator.get(await site.request(), site));
    // What is remembered for a second is read again now and then: the least of three.
    const runs: { options: string[]; signIn: string[] }[] = [];
    for (let n = 0; n < 3; n += 1) {
      const options = await countStatements(() => site.request());
      const answer = authenticator.get(options.result, site);
      const { result, sent } = await countStatements(() => site.signIn(answer));
      expect(result.status).toBe(200);
      runs.push({ options: options.statements, signIn: namesOf(sent) });
    }
    const least = (kind: 'options' | 'signIn'): string[] =>
      runs.map((run) => run[kind]).sort((one, other) => one.length - other.length)[0]!;
    expect(least('options').filter((text) => !/FROM environments/.test(text))).toHaveLength(1);
    expect(least('signIn')).toEqual([
      'passkeyChallenges.takeWithPasskey',
      'BEGIN',
      'passkeys.recordUse',
      'users.readClaimed',
      'sessions.visit',
      'sessions.open',
      'events.append',
      'codes.forgive',
      'COMMIT',
    ]);
  });
});

describe('the passkeys of a user', () => {
  it('have names', async () => {
    const person = await site.person();
    await site.add(person);
    const id = await idOf(person);
    const rename = (body: object, token = person.jwt) =>
      world.anonymous.put<Record<string, string>>(site.path(), body, { token });
    expect((await rename({ id, alias: 'My phone' })).body['alias']).toBe('My phone');
    expect((await rename({ id })).body['alias']).toBe('My phone');
    expect((await rename({ id, alias: 'x'.repeat(101) })).status).toBe(400);
    const stranger = await site.person();
    expect((await rename({ id, alias: 'Mine' }, stranger.jwt)).status).toBe(404);
    expect((await site.list(person)).body.passkeys[0]!['alias']).toBe('My phone');
  });

  it('are named to whoever is asked for a fresh proof, and not by their ids', async () => {
    interface Check {
      credentials: { format: string; alias?: string }[];
    }
    const person = await site.person();
    await site.add(person);
    const { jwt } = await world.signIn(person.email);
    const passkeys = async () => {
      const body = { scope: 'credential:link' };
      const asked = await world.anonymous.post<Check>(world.sdk('/stepUp/check'), body, { token: jwt, expect: 200 });
      return asked.body.credentials.flatMap(({ format, alias }) => (format === 'passkey' ? [alias] : []));
    };
    expect(await passkeys()).toEqual([undefined]);
    await world.anonymous.put(site.path(), { id: await idOf(person), alias: 'My phone' }, { token: jwt, expect: 200 });
    expect(await passkeys()).toEqual(['My phone']);
  });

  it('are removed with a fresh proof: the others are signed out, and the user is told', async () => {
    const person = await site.person();
    const authenticator = await site.add(person);
    const id = await idOf(person);
    const elsewhere = await site.signIn(authenticator.get(await site.request(), site));
    const without = await site.remove({ ...person, elevated: '' }, id);
    expect([without.status, without.body.code]).toEqual([403, 'fresh_proof_required']);
    const stranger = await site.person();
    const foreign = await site.remove(stranger, id);
    expect([foreign.status, foreign.body.code]).toEqual([422, 'passkey_not_found']);

    expect((await site.remove(person, id)).status).toBe(204);
    expect((await site.list(person)).body.count).toBe(0);
    expect((await world.anonymous.get(world.sdk('/session'), { token: elsewhere.body.jwt })).status).toBe(401);
    const refused = await site.signIn(authenticator.get(await site.request(), site));
    expect([refused.status, refused.body.code]).toEqual([422, 'passkey_not_found']);
    expect(await count('credentials', 'public_identifier', authenticator.id)).toBe(0);
    expect(await count('identifier_claims', 'identifier', authenticator.id)).toBe(0);
    expect(mailsTo(person.email)[0]).toContain('A passkey was removed');
    const revoked = await eventsOf(test, world.environmentId, elsewhere.body.user.sessionId);
    expect(revoked.map(({ name }) => name)).toEqual(['user.session.created', 'user.session.revoked']);
    // Removed, it may come back: nobody else has it.
    expect((await site.store(person, authenticator.create(await site.creation(person), site))).status).toBe(200);
  });

  it('are never all removed where nothing else signs the user in, not even two at once', async () => {
    const person = await site.person();
    await site.add(person);
    await site.add(person);
    const deleteMail = "DELETE FROM credentials WHERE environment_id = $1 AND user_id = $2 AND format = 'email'";
    await rowsOf(test, deleteMail, [world.environmentId, person.userId]);
    const { body } = await site.list(person);
    const answers = await Promise.all(body.passkeys.map(({ id }) => site.remove(person, id!)));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([204, 422]);
    const refused = answers.find(({ status }) => status === 422)!;
    expect(refused.body.code).toBe('cannot_delete_last_sign_in_verified_credential');
    expect((await site.list(person)).body.count).toBe(1);
  });

  it('are removed once while they sign in, and nobody waits for anybody forever', async () => {
    const person = await site.person();
    const authenticator = new Authenticator();
    authenticator.step = 0;
    await site.add(person, authenticator);
    const id = await idOf(person);
    const options = await Promise.all(Array.from({ length: 20 }, () => site.request()));
    const removing = site.remove(person, id);
    const answers = await Promise.all(options.map((each) => site.signIn(authenticator.get(each, site))));
    expect((await removing).status).toBe(204);
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 422)).toEqual([]);
    expect(await count('identifier_claims', 'identifier', authenticator.id)).toBe(0);
    expect(await count('credentials', 'public_identifier', authenticator.id)).toBe(0);
  });

  it('go with their user', async () => {
    const person = await site.person();
    const { id } = await site.add(person);
    await world.api.delete(`/users/${person.userId}`, { expect: 204 });
    expect(await count('passkeys', 'credential_id', id)).toBe(0);
  });

  it('are asked for by nobody who is not signed in', async () => {
    for (const rest of ['', '/register', '/authenticate']) {
      expect((await world.anonymous.get(site.path(rest))).status).toBe(401);
    }
    expect((await world.api.get(site.path())).status).toBe(401);
    expect((await world.signIn(newEmail())).jwt).not.toBe('');
  });
});
