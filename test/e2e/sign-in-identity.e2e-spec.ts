import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { trySignIn, withoutWaits } from '../support/codes.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { countStatements } from '../support/statements.js';
import { World, newEmail } from '../support/world.js';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
});

afterAll(() => test.close());

const usersWith = (email: string): Promise<{ id: string }[]> =>
  rowsOf(test, 'SELECT id FROM users WHERE environment_id = $1 AND email = $2', [world.environmentId, email]);

const sessionsOf = (userId: string): Promise<object[]> =>
  rowsOf(test, 'SELECT id FROM sessions WHERE environment_id = $1 AND user_id = $2', [world.environmentId, userId]);

async function plant(user: { email: string; emailVerifiedAt?: string }): Promise<string> {
  const { body } = await world.api.post<{ user: { id: string } }>(world.path('/users'), user, { expect: 201 });
  return body.user.id;
}

describe('a first sign-in', () => {
  it('that happens fifty times at once makes one user and one user.created event', async () => {
    const email = newEmail();
    const proofs: { id: string; code: string }[] = [];
    for (let n = 0; n < 50; n += 1) {
      const id = await world.sendCode(email);
      proofs.push({ id, code: world.code(email) });
    }
    const answers = await withoutWaits(test, world.environmentId, () =>
      Promise.all(proofs.map(({ id, code }) => trySignIn(world, id, code))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    const users = await usersWith(email);
    expect(users).toHaveLength(1);
    const ids = answers.map(({ body }) => (body as object as { user: { id: string } }).user.id);
    expect(new Set(ids)).toEqual(new Set([users[0]!.id]));
    const events = await eventsOf(test, world.environmentId, users[0]!.id);
    expect(events.map(({ name }) => name)).toEqual(['user.created']);
    const credentials = await rowsOf(test, 'SELECT 1 FROM credentials WHERE environment_id = $1 AND email = $2', [
      world.environmentId,
      email,
    ]);
    expect(credentials).toHaveLength(1);
    expect(await sessionsOf(users[0]!.id)).toHaveLength(50);
  });
});

describe('an address that an API call gave', () => {
  it.each([
    ['as verified', { emailVerifiedAt: '2026-01-01T00:00:00.000Z' }],
    ['without a word about proof', {}],
  ])('to one user %s signs in to that user', async (_, asserted) => {
    const email = newEmail();
    const userId = await plant({ email, ...asserted });
    const signedIn = await world.signIn(email);
    expect(signedIn.userId).toBe(userId);
    expect(signedIn.body.user['verifiedCredentials']).toEqual([
      expect.objectContaining({ email, signInEnabled: true, verifiedAt: expect.any(String) }),
    ]);
    expect(await usersWith(email)).toEqual([{ id: userId }]);
    const created = await eventsOf(test, world.environmentId, userId);
    expect(created.filter(({ name }) => name === 'user.created')).toHaveLength(1);
  });

  it('to two users is refused with an error of its own, and nobody is signed in', async () => {
    const email = newEmail();
    const verified = { email, emailVerifiedAt: '2026-01-01T00:00:00.000Z' };
    const planted = [await plant(verified), await plant({ ...verified, email: email.toUpperCase() })];
    const id = await world.sendCode(email);
    const refused = await trySignIn(world, id, world.code(email));
    expect([refused.status, refused.body.code]).toEqual([422, 'ambiguous_identifier']);
    expect(refused.headers.get('set-cookie')).toBeNull();
    for (const userId of planted) expect(await sessionsOf(userId)).toEqual([]);
    expect(await rowsOf(test, 'SELECT 1 FROM identifier_claims WHERE identifier = $1', [email])).toEqual([]);
  });

  it('to a second user does not take it from the one who has proven it', async () => {
    const { email, userId } = await world.signIn(newEmail());
    await plant({ email, emailVerifiedAt: '2026-01-01T00:00:00.000Z' });
    expect((await world.signIn(email)).userId).toBe(userId);
  });

  it('ends the sessions that others opened for the user before the first proof', async () => {
    const owner = await world.signIn(newEmail());
    const email = newEmail();
    await rowsOf(
      test,
      `INSERT INTO credentials (environment_id, id, user_id, format, email, public_identifier)
       VALUES ($1, gen_random_uuid(), $2, 'email', $3, $3)`,
      [world.environmentId, owner.userId, email],
    );
    expect((await world.signIn(email)).userId).toBe(owner.userId);
    expect((await world.anonymous.get(world.sdk('/session'), { token: owner.jwt })).status).toBe(401);
    const events = await eventsOf(test, world.environmentId, owner.sessionId);
    expect(events.map(({ name }) => name)).toEqual(['user.session.created', 'user.session.revoked']);
  });
});

describe('a sign-in that the environment does not want', () => {
  it('is refused before anybody is looked up when no email provider is enabled', async () => {
    const closed = await World.create(test);
    await rowsOf(test, 'UPDATE providers SET enabled_at = NULL WHERE environment_id = $1', [closed.environmentId]);
    const email = newEmail();
    const create = () => closed.anonymous.post<{ code: string }>(closed.sdk('/emailVerifications/create'), { email });
    const { result, statements } = await countStatements(create);
    expect([result.status, result.body.code]).toEqual([422, 'no_enabled_email_provider']);
    expect(statements.join('\n')).toMatch(/providers/);
    expect(statements.join('\n')).not.toMatch(
      /users|credentials|identifier_claims|email_verifications|code_destinations/,
    );
    expect(() => closed.code(email)).toThrow('No code was sent');

    const elsewhere = await world.sendCode(email);
    const signIn = await trySignIn(world, elsewhere, world.code(email), closed.environmentId);
    expect([signIn.status, signIn.body.code]).toEqual([422, 'no_enabled_email_provider']);
  });

  it('is refused without a solved captcha where the environment demands one', async () => {
    const guarded = await World.create(test);
    await rowsOf(
      test,
      `UPDATE environment_settings SET settings = jsonb_set(settings, '{security,captcha}', '{"enabled": true}')
       WHERE environment_id = $1`,
      [guarded.environmentId],
    );
    const email = newEmail();
    const answer = await guarded.anonymous.post<{ code: string }>(guarded.sdk('/emailVerifications/create'), {
      email,
      captchaToken: 'anything',
    });
    expect([answer.status, answer.body.code]).toEqual([422, 'captcha_refused']);
    expect(() => guarded.code(email)).toThrow('No code was sent');
  });

  it('is refused in an environment that does not exist', async () => {
    const nowhere = '018f0000-0000-7000-8000-00000000dead';
    const { status } = await world.anonymous.post(world.sdk('/emailVerifications/create', nowhere), {
      email: newEmail(),
    });
    expect(status).toBe(404);
  });
});
