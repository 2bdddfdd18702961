import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { Accounts } from '../support/accounts.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import type { Refusal } from '../support/codes.js';
import { issuedToken, trustIssuer } from '../support/external-auth.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { countStatements } from '../support/statements.js';
import { newEmail, World } from '../support/world.js';

interface Answered extends Refusal {
  user: { id: string; email?: string; firstName?: string; verifiedCredentials: Record<string, unknown>[] };
  jwt: string;
}

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
  await trustIssuer(world);
});

afterAll(() => test.close());

const signIn = (jwt: string | undefined, at = world) =>
  at.anonymous.post<Answered>(at.sdk('/externalAuth/signin'), { jwt });

describe("a sign-in by a token of the customer's own identity provider", () => {
  it('creates the user of a new subject and recognises them the next time', async () => {
    const sub = randomUUID();
    const first = await signIn(await issuedToken({ sub, given_name: 'Ada', family_name: 'Lovelace' }));
    expect(first.status).toBe(200);
    expect(first.body.user).toMatchObject({
      firstName: 'Ada',
      lastName: 'Lovelace',
      verifiedCredentials: [{ format: 'externalUser', public_identifier: sub }],
    });
    expect(decodeJwt(first.body.jwt)).toMatchObject({ sub: first.body.user.id, amr: ['external'] });
    expect((await signIn(await issuedToken({ sub }))).body.user.id).toBe(first.body.user.id);
  });

  it('is published with the id of the subject, like all later actions of the user', async () => {
    const sub = randomUUID();
    const { body } = await signIn(await issuedToken({ sub }));
    await world.anonymous.put(world.sdk('/users'), { alias: 'Ada' }, { token: body.jwt, expect: 200 });
    await world.anonymous.post(world.sdk('/revoke'), undefined, { token: body.jwt, expect: 204 });
    const events = await rowsOf(
      test,
      'SELECT name, external_user_id AS sub FROM events WHERE environment_id = $1 AND user_id = $2 ORDER BY id',
      [world.environmentId, body.user.id],
    );
    const names = ['user.created', 'user.session.created', 'user.updated', 'user.session.revoked'];
    expect(events).toEqual(names.map((name) => ({ name, sub })));
    const other = await world.signIn(newEmail());
    const nameless = 'SELECT 1 FROM events WHERE user_id = $1 AND external_user_id IS NOT NULL';
    expect(await rowsOf(test, nameless, [other.userId])).toEqual([]);
  });

  it('is one user and one event for fifty concurrent tokens of a new subject', async () => {
    const sub = randomUUID();
    const tokens = await Promise.all(Array.from({ length: 50 }, () => issuedToken({ sub })));
    const answers = await Promise.all(tokens.map((token) => signIn(token)));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(50).fill(200));
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
    const events = await eventsOf(test, world.environmentId, answers[0]!.body.user.id);
    expect(events.filter(({ name }) => name === 'user.created')).toHaveLength(1);
  });

  it('does not match an account by email, even if the token says that it is verified', async () => {
    const owner = await world.signIn(newEmail());
    const answer = await signIn(await issuedToken({ email: owner.email, email_verified: true }));
    expect(answer.status).toBe(200);
    expect(answer.body.user.id).not.toBe(owner.userId);
    expect(answer.body.user).not.toHaveProperty('email');
  });

  it('no longer matches an account that has unlinked the subject', async () => {
    const sub = randomUUID();
    const { body: ada } = await signIn(await issuedToken({ sub }));
    const accounts = new Accounts(world);
    const linked = await accounts.verifyEmail(ada.jwt, newEmail());
    const { id } = linked.body.user.verifiedCredentials.find(({ format }) => format === 'externalUser')!;
    expect((await accounts.post('/verify/unlink', ada.jwt, { verifiedCredentialId: id })).status).toBe(200);
    const again = await signIn(await issuedToken({ sub }));
    expect([again.status, again.body.user.id === ada.user.id]).toEqual([200, false]);
  });

  it('is as fresh as the sign-in, whatever authentication time the issuer states', async () => {
    const { body } = await signIn(await issuedToken({ auth_time: Math.floor(Date.now() / 1_000) + 86_400 }));
    const sql = 'SELECT authenticated_at <= now() AS "isPast" FROM sessions WHERE user_id = $1';
    expect(await rowsOf(test, sql, [body.user.id])).toEqual([{ isPast: true }]);
  });

  it('treats the same subject of another issuer as somebody else', async () => {
    const sub = randomUUID();
    const there = await World.create(test);
    await trustIssuer(there);
    const one = await signIn(await issuedToken({ sub }), there);
    await trustIssuer(there, { iss: 'https://other.example' });
    const other = await signIn(await issuedToken({ sub, iss: 'https://other.example' }), there);
    expect([one.status, other.status]).toEqual([200, 200]);
    expect(other.body.user.id).not.toBe(one.body.user.id);
  });

  it('still matches an account that had the subject at two issuers and unlinked one of them', async () => {
    const sub = randomUUID();
    const there = await World.create(test);
    const accounts = new Accounts(there);
    await trustIssuer(there);
    const one = await signIn(await issuedToken({ sub }), there);
    const tokenThere = () => issuedToken({ sub, iss: 'https://other.example' });
    await trustIssuer(there, { iss: 'https://other.example' });
    const other = await signIn(await tokenThere(), there);
    const email = newEmail();
    expect((await accounts.verifyEmail(other.body.jwt, email)).status).toBe(200);
    expect((await accounts.verifyEmail(one.body.jwt, email)).body.code).toBe('merge_accounts_confirmation');
    const merged = await accounts.post('/users/merge', one.body.jwt, {});
    const subjects = merged.body.user.verifiedCredentials.filter(({ format }) => format === 'externalUser');
    expect(subjects).toMatchObject([{ public_identifier: sub }, { public_identifier: sub }]);
    const unlinked = await accounts.post('/verify/unlink', merged.body.jwt, { verifiedCredentialId: subjects[0]!.id });
    expect(unlinked.status).toBe(200);
    expect((await signIn(await tokenThere(), there)).body.user.id).toBe(one.body.user.id);
    const known = 'SELECT external_user_id AS id FROM users WHERE id = $1';
    expect(await rowsOf(test, known, [one.body.user.id])).toEqual([{ id: sub }]);
    const [, last] = subjects;
    const { jwt } = unlinked.body;
    expect((await accounts.post('/verify/unlink', jwt, { verifiedCredentialId: last!.id })).status).toBe(200);
    expect((await signIn(await tokenThere(), there)).body.user.id).not.toBe(one.body.user.id);
  });

  it.each<[string, () => Promise<string | undefined>]>([
    ['nothing', async () => undefined],
    ['no token', async () => 'token'],
    ['a token of another issuer', () => issuedToken({ iss: 'https://evil.example' })],
    ['a token for somebody else', () => issuedToken({ aud: 'another' })],
    ['a token without audience', () => issuedToken({ aud: undefined })],
    ['an old token', () => issuedToken({ iat: Math.floor(Date.now() / 1_000) - 400 })],
    ['an expired token', () => issuedToken({ exp: Math.floor(Date.now() / 1_000) - 100 })],
    ['a token of nobody', () => issuedToken({ sub: '' })],
    ['a token of a subject that nobody can write down', () => issuedToken({ sub: 'ada\u0000' })],
    ['a token of a subject with half a character', () => issuedToken({ sub: 'ada\ud83c' })],
    [
      'a token whose claims were changed',
      async () => {
        const [head, , signature] = (await issuedToken()).split('.');
        const [, claims] = (await issuedToken()).split('.');
        return `${head}.${claims}.${signature}`;
      },
    ],
    [
      'an unsigned token',
      async () => {
        const [, claims] = (await issuedToken()).split('.');
        return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`;
      },
    ],
    ['a token of this service', async () => (await world.signIn(newEmail())).jwt],
  ])('refuses %s without details, and writes nothing', async (_, token) => {
    const given = await token();
    const { result, statements } = await countStatements(() => signIn(given));
    expect([result.status, result.body.code]).toEqual([401, 'invalid_external_token']);
    expect(result.body).not.toHaveProperty('payload');
    expect(statements.join('\n')).not.toMatch(/INSERT|UPDATE/);
  });

  it('accepts the configured cookie, and no other', async () => {
    const there = await World.create(test);
    await trustIssuer(there, { cookieName: 'customer_session' });
    const bearing = async (cookie: string, jwt?: string) =>
      there.anonymous.post<Answered>(there.sdk('/externalAuth/signin'), { jwt }, { headers: { cookie } });
    expect((await bearing(`other=1; customer_session=${await issuedToken()}`)).status).toBe(200);
    const refused = [401, 'invalid_external_token'];
    const outcome = async (cookie: string, jwt?: string) => {
      const { status, body } = await bearing(cookie, jwt);
      return [status, body.code];
    };
    expect(await outcome(`other_session=${await issuedToken()}`)).toEqual(refused);
    expect(await outcome(`customer_session=${await issuedToken()}; customer_session=x`)).toEqual(refused);
    expect(await outcome(`customer_session=${await issuedToken()}`, 'token')).toEqual(refused);
    const unnamed = `customer_session=${await issuedToken()}`;
    const here = await world.anonymous.post<Answered>(
      world.sdk('/externalAuth/signin'),
      {},
      { headers: { cookie: unnamed } },
    );
    expect([here.status, here.body.code]).toEqual(refused);
  });

  it('is refused if disabled', async () => {
    const off = await World.create(test);
    const answer = await signIn(await issuedToken(), off);
    expect([answer.status, answer.body.code]).toEqual([422, 'external_auth_disabled']);
    expect(await rowsOf(test, 'SELECT 1 FROM users WHERE environment_id = $1', [off.environmentId])).toEqual([]);
  });

  it('gets 410 under its retired name, whatever is sent', async () => {
    const { jwt: token } = await world.signIn(newEmail());
    const path = world.sdk('/externalAuth/verify');
    const answer = await world.anonymous.post<Refusal>(path, { jwt: await issuedToken() }, { token });
    expect([answer.status, answer.body.code]).toEqual([410, 'operation_retired']);
  });
});
