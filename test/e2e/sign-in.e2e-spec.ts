import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRemoteJWKSet, decodeJwt, jwtVerify, type JWTPayload } from 'jose';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { trySignIn, wrongCode } from '../support/codes.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { World, newEmail, type SignedIn } from '../support/world.js';

interface CodeRow {
  attempts: number;
  usedAt: Date | null;
  failures: number;
}

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
});

afterAll(() => test.close());

async function codeRow(id: string): Promise<CodeRow> {
  const [row] = await rowsOf<CodeRow>(
    test,
    `SELECT v.attempts, v.used_at AS "usedAt", d.failures FROM email_verifications v
     JOIN code_destinations d USING (environment_id, destination_hash) WHERE v.id = $1`,
    [id],
  );
  return row!;
}

describe('a sign-in by email code', () => {
  const ORIGIN = 'https://app.example.com';
  const SESSION_KEY = '02a1633cafcc01ebfb6d78e39f687a1f0995c62fc95f51ead10a02ee0be551b5dc';

  const verify = (token: string): Promise<{ payload: JWTPayload }> => {
    const keys = createRemoteJWKSet(new URL(`${test.url}/api/v0${world.sdk('/.well-known/jwks')}`));
    return jwtVerify(token, keys, {
      issuer: `${new URL(test.config.publicUrl).host}/${world.environmentId}`,
      audience: ORIGIN,
      algorithms: ['RS256'],
      typ: 'JWT',
    });
  };

  it('creates the user of a new address and knows them the next time', async () => {
    const email = newEmail();
    const first = await world.signIn(email);
    expect(first.body.user).toMatchObject({ email, newUser: true, projectEnvironmentId: world.environmentId });
    expect(first.body.user['verifiedCredentials']).toEqual([
      expect.objectContaining({ format: 'email', email, signInEnabled: true, verifiedAt: expect.any(String) }),
    ]);
    const id = await world.sendCode(email.toUpperCase());
    const second = (await trySignIn(world, id, world.code(email))).body as object as SignedIn['body'];
    expect(second.user).toMatchObject({ id: first.userId, email, newUser: false });
    expect(second.user['sessionId']).not.toBe(first.sessionId);
    const created = await eventsOf(test, world.environmentId, first.userId);
    expect(created).toEqual([
      expect.objectContaining({ name: 'user.created', userId: first.userId, data: expect.objectContaining({ email }) }),
    ]);
    for (const { user } of [first.body, second]) {
      const events = await eventsOf(test, world.environmentId, user['sessionId'] as string);
      expect(events.map(({ name }) => name)).toEqual(['user.session.created']);
      expect(JSON.stringify(events)).not.toMatch(/eyJ|token/i);
    }
  });

  it('gives two tokens that anyone can verify through the key set', async () => {
    const email = newEmail();
    const options = { headers: { origin: ORIGIN }, sessionPublicKey: SESSION_KEY };
    await world.api.post(world.path('/origins'), { origin: ORIGIN }, { expect: 201 });
    const { userId, sessionId, jwt, minifiedJwt, body } = await world.signIn(email, options);
    const [full, small] = [(await verify(jwt)).payload, (await verify(minifiedJwt)).payload];
    const [credential] = body.user['verifiedCredentials'] as { id: string }[];
    for (const claims of [full, small]) {
      expect(claims).toMatchObject({
        sub: userId,
        sid: sessionId,
        aud: ORIGIN,
        environment_id: world.environmentId,
        last_verified_credential_id: credential!.id,
        session_public_key: SESSION_KEY,
        scope: expect.stringContaining('user:basic'),
        amr: ['otp'],
        verifiedCredentialsHashes: { email: expect.stringMatching(/^[0-9a-f]{64}$/) },
        jti: expect.any(String),
        kid: expect.any(String),
        auth_time: expect.any(Number),
      });
      expect(claims.exp! - claims.iat!).toBe(900);
      expect(String(claims.exp)).toBe(body.expiresAt);
    }
    expect(full).toMatchObject({ email, new_user: true, missing_fields: [], lists: [] });
    expect(full).toMatchObject({ first_visit: expect.any(String), last_visit: expect.any(String) });
    expect(full['verified_credentials']).toEqual([expect.objectContaining({ id: credential!.id, email })]);
    expect(small).not.toHaveProperty('verified_credentials');
  });

  it('tells no personal data in the small token', async () => {
    const email = newEmail();
    const profile = {
      firstName: 'Ada',
      lastName: 'Lovelace',
      phoneNumber: '+41446681800',
      username: `ada-${email.slice(5, 13)}`,
    };
    const { body } = await world.api.post<{ user: { id: string } }>(
      world.path('/users'),
      { email, ...profile },
      { expect: 201 },
    );
    const { userId, jwt, minifiedJwt } = await world.signIn(email, { headers: { 'user-agent': 'Looms/1.0' } });
    expect(userId).toBe(body.user.id);
    const [full, small] = [JSON.stringify(decodeJwt(jwt)), JSON.stringify(decodeJwt(minifiedJwt))];
    const personal = [email, email.split('@')[0]!, ...Object.values(profile)];
    for (const text of personal) expect([text, full.includes(text), small.includes(text)]).toEqual([text, true, false]);
    expect(small).not.toMatch(/127\.0\.0\.1|Looms/);
  });

  it('takes the address as audience when there is no browser', async () => {
    const { minifiedJwt } = await world.signIn(newEmail());
    expect(decodeJwt(minifiedJwt).aud).toBe(test.config.publicUrl);
  });

  it('refuses a session public key that does not fit into the tokens, and leaves the code good', async () => {
    const email = newEmail();
    const id = await world.sendCode(email);
    const request = { verificationUUID: id, verificationToken: world.code(email), sessionPublicKey: 'a'.repeat(513) };
    const { status, body } = await world.anonymous.post<{ code: string }>(
      world.sdk('/emailVerifications/signin'),
      request,
    );
    expect([status, body.code]).toEqual([422, 'invalid_session_public_key']);
    expect((await trySignIn(world, id, world.code(email))).status).toBe(200);
  });
});

describe('a code', () => {
  it('is refused, even the right one, after five wrong ones; each try is counted before it is compared', async () => {
    const email = newEmail();
    const id = await world.sendCode(email);
    const code = world.code(email);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const { status, body } = await trySignIn(world, id, wrongCode(code, attempt));
      expect([status, body.code]).toEqual([422, 'wrong_email_verification_token']);
      expect(await codeRow(id)).toEqual({ attempts: attempt, usedAt: null, failures: attempt });
    }
    const { status, body } = await trySignIn(world, id, code);
    expect([status, body.code]).toEqual([422, 'too_many_email_verification_attempts']);
    expect(await codeRow(id)).toMatchObject({ attempts: 5, usedAt: null });
  });

  it('that is right counts as a try too, and takes back the failures of the address', async () => {
    const email = newEmail();
    const id = await world.sendCode(email);
    await trySignIn(world, id, wrongCode(world.code(email)));
    expect((await trySignIn(world, id, world.code(email))).status).toBe(200);
    expect(await codeRow(id)).toEqual({ attempts: 2, usedAt: expect.any(Date), failures: 0 });
  });

  it('is compared five times at most when a hundred wrong ones come at once', async () => {
    const email = newEmail();
    const id = await world.sendCode(email);
    const code = world.code(email);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => trySignIn(world, id, wrongCode(code, n + 1))),
    );
    const codes = answers.map(({ body }) => body.code);
    expect(codes.filter((name) => name === 'wrong_email_verification_token')).toHaveLength(5);
    expect(codes.filter((name) => name === 'too_many_email_verification_attempts')).toHaveLength(95);
    expect(await codeRow(id)).toEqual({ attempts: 5, usedAt: null, failures: 5 });
  });

  it('signs in once when it comes a hundred times at once', async () => {
    const email = newEmail();
    const id = await world.sendCode(email);
    const code = world.code(email);
    const answers = await Promise.all(Array.from({ length: 100 }, () => trySignIn(world, id, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(99);
    const sessions = await rowsOf(
      test,
      'SELECT 1 FROM sessions s JOIN users u ON u.environment_id = s.environment_id AND u.id = s.user_id WHERE u.email = $1',
      [email],
    );
    expect(sessions).toHaveLength(1);
  });

  it('is refused once it is used, or older than ten minutes, like a wrong one', async () => {
    const email = newEmail();
    const id = await world.sendCode(email);
    expect((await trySignIn(world, id, world.code(email))).status).toBe(200);
    const used = await trySignIn(world, id, world.code(email));
    const late = await world.sendCode(email);
    const [{ seconds }] = (await rowsOf<{ seconds: number }>(
      test,
      'SELECT extract(epoch FROM expires_at - now())::float AS seconds FROM email_verifications WHERE id = $1',
      [late],
    )) as [{ seconds: number }];
    expect(seconds).toBeGreaterThan(590);
    expect(seconds).toBeLessThanOrEqual(600);
    await rowsOf(test, "UPDATE email_verifications SET expires_at = now() - interval '1 second' WHERE id = $1", [late]);
    const expired = await trySignIn(world, late, world.code(email));
    for (const { status, body } of [used, expired]) {
      expect([status, body.code]).toEqual([422, 'wrong_email_verification_token']);
    }
  });

  it('of another environment is refused with the bytes of an unknown verification, and stays good', async () => {
    const email = newEmail();
    const id = await world.sendCode(email);
    const code = world.code(email);
    const foreign = await trySignIn(world, id, code, world.ids.environments.live);
    const unknown = await trySignIn(world, '018f0000-0000-7000-8000-000000000000', code, world.ids.environments.live);
    expect(foreign.status).toBe(422);
    expect(foreign.status).toBe(unknown.status);
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' });
    expect(await codeRow(id)).toMatchObject({ attempts: 0 });
    expect((await trySignIn(world, id, code)).status).toBe(200);
  });

  it('is replaced by a retry: one is live for a verification', async () => {
    const email = newEmail();
    const id = await world.sendCode(email);
    const old = world.code(email);
    await trySignIn(world, id, wrongCode(old));
    const retry = world.sdk('/emailVerifications/retry');
    const { body } = await world.anonymous.post<object>(retry, { verificationUUID: id, email }, { expect: 201 });
    expect(body).toEqual({ verificationUUID: id, email });
    expect(await codeRow(id)).toMatchObject({ attempts: 0 });
    const code = world.code(email);
    expect((await trySignIn(world, id, old)).status).toBe(code === old ? 200 : 422);
    expect((await trySignIn(world, id, code)).status).toBe(code === old ? 422 : 200);
  });

  it('is not sent again to another address, nor for a verification that is used or unknown', async () => {
    const email = newEmail();
    const id = await world.sendCode(email);
    const code = world.code(email);
    const retry = (verificationUUID: string, to: string) =>
      world.anonymous.post<{ code: string }>(world.sdk('/emailVerifications/retry'), { verificationUUID, email: to });
    const elsewhere = newEmail();
    const toAnother = await retry(id, elsewhere);
    expect(() => world.code(elsewhere)).toThrow('No code was sent');
    expect((await trySignIn(world, id, code)).status).toBe(200);
    const used = await retry(id, email);
    const unknown = await retry('018f0000-0000-7000-8000-000000000000', email);
    for (const { status, body } of [toAnother, used, unknown]) {
      expect([status, body.code]).toEqual([422, 'invalid_email_verification']);
    }
  });
});
