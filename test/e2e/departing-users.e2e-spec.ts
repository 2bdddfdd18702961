import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { sessionsWaiting } from '../support/lock-waits.js';
import { Authenticator } from '../support/authenticator.js';
import { PasskeySite } from '../support/passkeys.js';
import { withClient } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { allowSecondFactors, codeOf } from '../support/second-factor.js';
import { proofOf } from '../support/surface/fresh-proof.js';
import { enableTelegram, newLogin, queryOf } from '../support/telegram.js';
import { addSite, keySignIn } from '../support/wallet-sign-in.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

interface Answer {
  code?: string;
  user?: { id: string };
}

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
});
afterAll(() => test.close());
beforeEach(async () => {
  world = await World.create(test);
});

/** What a call answers that waits for the erasure of its user, which is committed then. */
function whileErased<T>(userId: string, call: () => Promise<T>, lock = 'DELETE FROM users WHERE id = $1'): Promise<T> {
  return withClient(test.databaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query(lock, [userId]);
    const answer = call();
    answer.catch(() => undefined);
    await eventually('waits for the erasure', async () => (await sessionsWaiting(test.databaseUrl)) > 0);
    await client.query('DELETE FROM users WHERE id = $1', [userId]);
    await client.query('COMMIT');
    return answer;
  });
}

async function codeFor(email: string) {
  const verificationUUID = await world.sendCode(email);
  return { verificationUUID, verificationToken: world.code(email) };
}

async function answerTo(email: string) {
  const answer = await codeFor(email);
  return () => world.anonymous.post<Answer>(world.sdk('/emailVerifications/signin'), answer);
}

describe('somebody who is erased at this moment', () => {
  it('and signs in is a new user', async () => {
    const ada = await world.signIn(newEmail());
    const { status, body } = await whileErased(ada.userId, await answerTo(ada.email));
    expect([status, body.code]).toEqual([200, undefined]);
    expect(body.user!.id).not.toBe(ada.userId);
  });

  it('and first proves an address stated by an API call is a new user', async () => {
    const email = newEmail();
    const made = await world.api.post<{ user: { id: string } }>(world.path('/users'), { email }, { expect: 201 });
    const { status, body } = await whileErased(made.body.user.id, await answerTo(email));
    expect([status, body.code]).toEqual([200, undefined]);
    expect(body.user!.id).not.toBe(made.body.user.id);
  });

  it('is not recreated by a sign-in for existing users only', async () => {
    await enableTelegram(world);
    const { id } = newLogin();
    const signIn = (username: string, more: object = {}) =>
      world.anonymous.post<Answer>(world.sdk('/telegram/signin'), {
        telegramAuthToken: queryOf(newLogin({ id, username })),
        ...more,
      });
    const { body: before } = await signIn('ann');
    const { status, body } = await whileErased(before.user!.id, () => signIn('again', { forceCreateUser: false }));
    expect([status, body.code]).toEqual([422, 'telegram_account_unknown']);
  });

  it('and signs in with a passkey gets an error about a missing passkey, not a copied one', async () => {
    const site = await PasskeySite.register(world);
    const ada = await world.signIn(newEmail());
    const authenticator = await site.add({
      ...ada,
      elevated: (await proofOf(world, ada.jwt))['x-elevated-access-token']!,
    });
    const answer = authenticator.get(await site.request(), site);
    const { status, body } = await whileErased(ada.userId, () => site.signIn(answer));
    expect([status, body.code]).toEqual([422, 'passkey_not_found']);
  });

  const LOCK = 'SELECT FROM users WHERE id = $1 FOR UPDATE';

  it('and finishes a second factor has no session', async () => {
    await allowSecondFactors(world);
    const { userId, jwt } = await world.signIn(newEmail());
    const path = world.sdk('/users/mfa/register/totp');
    const { body } = await world.anonymous.get<{ secret: string }>(path, { token: jwt, expect: 200 });
    const finish = () =>
      world.anonymous.post<Answer>(path, { type: 'totp', code: codeOf(body.secret) }, { token: jwt });
    const { status, body: refused } = await whileErased(userId, finish, LOCK);
    expect([status, refused.code]).toEqual([401, 'unauthorized']);
  });

  it.each(['/verify/link', '/emailVerifications/verify'])(
    'and proves another credential (%s) has no session',
    async (path) => {
      await addSite(world);
      const { userId, jwt } = await world.signIn(newEmail());
      const answer = path.startsWith('/email') ? await codeFor(newEmail()) : await keySignIn(world);
      const prove = () => world.anonymous.post<Answer>(world.sdk(path), answer, { token: jwt });
      const { status, body } = await whileErased(userId, prove, LOCK);
      expect([status, body.code]).toEqual([401, 'unauthorized']);
    },
  );

  it('and begins a passkey has no session', async () => {
    const ada: SignedIn = await world.signIn(newEmail());
    const { origin } = await PasskeySite.register(world);
    const how = { token: ada.jwt, headers: { origin } };
    const begin = () => world.anonymous.get<Answer>(world.sdk('/users/passkeys/register'), how);
    const { status, body } = await whileErased(ada.userId, begin);
    expect([status, body.code]).toEqual([401, 'unauthorized']);
  });
});

describe('a session that is ended at this moment', () => {
  /** The answer of a call that waits for its user, of whom every session has ended by then. */
  const whileEnded = <T>(userId: string, call: () => Promise<T>): Promise<T> =>
    withClient(test.databaseUrl, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [userId]);
      const answer = call();
      answer.catch(() => undefined);
      await eventually('waits for the user', async () => (await sessionsWaiting(test.databaseUrl)) > 0);
      await client.query('UPDATE sessions SET revoked_at = now() WHERE user_id = $1', [userId]);
      await client.query('COMMIT');
      return answer;
    });
  const credentialsOf = (userId: string) =>
    withClient(test.databaseUrl, async (client) => {
      const sql = 'SELECT id FROM credentials WHERE user_id = $1 ORDER BY id';
      return (await client.query<{ id: string }>(sql, [userId])).rows.map(({ id }) => id);
    });

  it.each(['/verify/link', '/emailVerifications/verify'])('adds no credential (%s)', async (path) => {
    await addSite(world);
    const { userId, jwt } = await world.signIn(newEmail());
    const before = await credentialsOf(userId);
    const answer = path.startsWith('/email') ? await codeFor(newEmail()) : await keySignIn(world);
    const prove = () => world.anonymous.post<Answer>(world.sdk(path), answer, { token: jwt });
    const { status, body } = await whileEnded(userId, prove);
    expect([status, body.code]).toEqual([401, 'unauthorized']);
    expect(await credentialsOf(userId)).toEqual(before);
  });

  it('adds no passkey', async () => {
    const site = await PasskeySite.register(world);
    const ada = await site.person();
    const before = await credentialsOf(ada.userId);
    const made = new Authenticator().create(await site.creation(ada), site);
    const { status, body } = await whileEnded(ada.userId, () => site.store(ada, made));
    expect([status, body.code]).toEqual([401, 'unauthorized']);
    expect(await credentialsOf(ada.userId)).toEqual(before);
  });

  it('removes no credential', async () => {
    await addSite(world);
    const { userId, jwt: token } = await world.signIn(newEmail());
    await world.anonymous.post(world.sdk('/verify/link'), await keySignIn(world), { token, expect: 200 });
    const before = await credentialsOf(userId);
    expect(before).toHaveLength(2);
    const wanted = { verifiedCredentialId: before.at(-1) };
    const unlink = () => world.anonymous.post<Answer>(world.sdk('/verify/unlink'), wanted, { token });
    const { status, body } = await whileEnded(userId, unlink);
    expect([status, body.code]).toEqual([401, 'unauthorized']);
    expect(await credentialsOf(userId)).toEqual(before);
  });
});
