import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { GUARDED_ACTIONS } from '../../src/auth/index.js';
import { DevInbox } from '../../src/providers/index.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { Authenticator } from '../support/authenticator.js';
import { listOperations } from '../support/contract/openapi-document.js';
import { FactorSite, type Factor } from '../support/factor-site.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { addDevice, codeOf, refreshed, roomInStep } from '../support/second-factor.js';
import { apiDocument } from '../support/surface/operations.js';
import { addSite, keySignIn, newKey } from '../support/wallet-sign-in.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

const SIGNING = { kind: 'message', message: 'I agree.' };
const METHODS = ['totp', 'passkey', 'email'];

let test: TestApp;
let world: World;
let site: FactorSite;
let user: SignedIn;

const allow = (of: World, methods: string[], more: object = {}) =>
  of.api.put<{ code?: string }>(of.path(''), {
    security: {
      mfa: {
        enabled: true,
        required: false,
        methods: METHODS.map((type) => ({ type, enabled: methods.includes(type), allowBackupCodes: true })),
        ...more,
      },
    },
  });
const scopeOf = (token: string) => decodeJwt(token)['scope'];
const amrOf = (token: string) => decodeJwt(token)['amr'];
const at = (rest: string, of = world) => of.sdk(`/users/mfa${rest}`);

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
  await addSite(world);
  site = await FactorSite.register(world);
  expect((await allow(world, METHODS)).status).toBe(200);
});
afterAll(() => test.close());
beforeEach(async () => {
  await roomInStep();
  user = await world.signIn(newEmail());
});

/** A code by mail for the second factor. */
async function mailed(email: string, of = world): Promise<Record<string, unknown>> {
  return { verificationUUID: await of.sendCode(email), verificationToken: of.code(email) };
}
const giveMail = (body: object, token: string, of = world) =>
  of.anonymous.post<{ jwt: string; code?: string; elevatedAccessToken?: string }>(at('/auth/email', of), body, {
    token,
  });

/** Somebody with a wallet, and with an address that was proven when the session began. */
async function walletUser(of = world): Promise<{ key: ReturnType<typeof newKey>; jwt: string; email: string }> {
  const key = newKey();
  const email = newEmail();
  const enter = async () => {
    const { body } = await of.anonymous.post<{ jwt: string }>(of.sdk('/verify'), await keySignIn(of, key), {
      expect: 200,
    });
    return body.jwt;
  };
  const first = await enter();
  await of.anonymous.post(of.sdk('/emailVerifications/verify'), await mailed(email, of), { token: first, expect: 200 });
  return { key, jwt: await enter(), email };
}

describe('a passkey as second factor', () => {
  it('is registered for a site, required at the next sign-in, and completes it', async () => {
    const factor = await site.add(user.jwt);
    expect(scopeOf(factor.jwt)).toBe('user:basic');
    expect(amrOf(factor.jwt)).toEqual(['otp', 'passkey']);
    const { jwt } = await world.signIn(user.email);
    expect(scopeOf(jwt)).toBe('requiresAdditionalAuth');
    const given = await site.give(factor, jwt);
    expect(given.status).toBe(200);
    expect([scopeOf(given.body.jwt), amrOf(given.body.jwt)]).toEqual(['user:basic', ['otp', 'passkey']]);
    const { body } = await world.anonymous.get<{ devices: object[]; passkeys: object[] }>(at('/methods'), {
      token: given.body.jwt,
      expect: 200,
    });
    expect(body.devices).toMatchObject([{ id: factor.id, type: 'passkey', verified: true, default: true }]);
    expect(body.passkeys).toMatchObject([{ id: factor.id, credentialId: factor.key.id, origin: site.origin }]);
    const told = await eventsOf(test, world.environmentId, factor.id);
    expect(told.map(({ name }) => name)).toEqual(['mfaDevice.added']);
    const mails = test.app.get(DevInbox).entries.filter(({ to }) => to === user.email);
    expect(mails.map(({ subject }) => subject)).toContainEqual(expect.stringMatching(/^A second factor was added/));
  });

  it('signs nobody in', async () => {
    const factor = await site.add(user.jwt);
    const options = await site.challenge('signin');
    expect((await site.signIn(factor.key.get(options, site))).body).toMatchObject({ code: 'passkey_not_found' });
  });

  it('is no other one than the passkey that signed in', async () => {
    const { passkey, jwt } = await site.passkeyUser();
    const again = (await site.signIn(passkey.get(await site.challenge('signin'), site))).body.jwt;
    expect((await site.begin(again)).body).toMatchObject({ code: 'mfa_invalid_request' });
    expect((await site.give({ key: passkey }, again)).body).toMatchObject({ code: 'mfa_invalid_request' });
    const token = { createMfaToken: { singleUse: true }, requestedScopes: ['credential:link'] };
    expect((await site.give({ key: passkey }, again, token)).body).toMatchObject({ code: 'mfa_invalid_request' });
    const others = passkey.get(await site.challenge('authenticate', jwt), site);
    expect((await site.send(others, user.jwt)).body).toMatchObject({ code: 'passkey_challenge_invalid' });
    expect((await site.give({ key: passkey }, user.jwt)).body).toMatchObject({ code: 'passkey_not_found' });
  });

  it('may be a passkey for sign-in, which makes none due and completes a session of another kind', async () => {
    const { passkey, email } = await site.passkeyUser();
    const { jwt } = await world.signIn(email);
    expect(scopeOf(jwt)).toBe('user:basic');
    const { body } = await world.anonymous.get<{ passkeys: object[]; userHasVerifiedMfaMethods: boolean }>(
      at('/methods'),
      { token: jwt, expect: 200 },
    );
    expect(body).toMatchObject({ passkeys: [{ credentialId: passkey.id }], userHasVerifiedMfaMethods: false });
    const given = await site.give({ key: passkey }, jwt, { createMfaToken: { singleUse: true } });
    expect([scopeOf(given.body.jwt), amrOf(given.body.jwt)]).toEqual(['user:basic', ['otp', 'passkey']]);
    expect(given.body.mfaToken).toEqual(expect.any(String));

    await addDevice(world, given.body.jwt);
    const due = await world.signIn(email);
    expect(scopeOf(due.jwt)).toBe('requiresAdditionalAuth');
    const assertion = passkey.get(await site.challenge('authenticate', due.jwt), site.ceremony);
    const answers = await Promise.all(Array.from({ length: 50 }, () => site.send(assertion, due.jwt)));
    const [taken, ...more] = answers.filter(({ status }) => status === 200);
    expect([scopeOf(taken!.body.jwt), amrOf(taken!.body.jwt), more]).toEqual(['user:basic', ['otp', 'passkey'], []]);
  });

  it('may be a passkey for sign-in that is being registered, which yields a token and no fresh proof', async () => {
    const createMfaToken = { singleUse: true };
    const person = await site.person();
    const key = new Authenticator();
    const { status, body } = await site.store(person, { createMfaToken }, key);
    expect([status, amrOf(body.jwt), body.elevatedAccessToken]).toEqual([200, ['otp', 'passkey'], undefined]);
    const headers = { 'x-mfa-auth-token': body.mfaToken! };
    const device = await addDevice(world, body.jwt);
    const remove = () => world.anonymous.delete<{ code?: string }>(at(`/${device.id}`), { token: body.jwt, headers });
    const removed = await Promise.all(Array.from({ length: 50 }, remove));
    expect(removed.filter((answer) => answer.status === 204)).toHaveLength(1);
    const fresh = await site.give({ key }, body.jwt, { requestedScopes: ['credential:link'] });
    expect(fresh.body).toMatchObject({ code: 'fresh_proof_required' });
  });

  it('is given with the registration only where it would be right after, and is not registered otherwise', async () => {
    const createMfaToken = { singleUse: false };
    const passkeysOf = async (token: string, of = world) =>
      (await of.anonymous.get<{ count: number }>(of.sdk('/users/passkeys'), { token, expect: 200 })).body.count;
    const person = await site.person();
    const key = new Authenticator();
    expect((await site.store(person, {}, key)).body.mfaToken).toBeUndefined();
    const requestedScopes = ['credential:link'];
    const assertion = key.get(await site.challenge('signin'), site.ceremony);
    const { jwt, elevatedAccessToken: elevated } = (await site.signIn({ ...assertion, requestedScopes })).body;
    const again = { ...person, jwt, elevated: elevated! };
    expect((await site.store(again, { createMfaToken })).body).toMatchObject({ code: 'mfa_invalid_request' });

    const without = await World.create(test);
    const elsewhere = await FactorSite.register(without);
    await allow(without, ['totp']);
    const other = await elsewhere.person();
    expect((await elsewhere.store(other, { createMfaToken })).body).toMatchObject({ code: 'mfa_invalid_request' });
    expect([await passkeysOf(jwt), await passkeysOf(other.jwt, without)]).toEqual([1, 0]);
  });

  it('is given with the registration by as many as fit, and none of the rest leaves a token', async () => {
    const person = await site.person();
    const store = () => site.store(person, { createMfaToken: { singleUse: true } });
    const answers = await Promise.all(Array.from({ length: 50 }, store));
    const tokens = answers.flatMap(({ status, body }) => (status === 200 ? [body.mfaToken] : []));
    expect(new Set(tokens).size).toBe(10);
    const refused = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code);
    expect(new Set(refused)).toEqual(new Set(['max_passkeys_per_user']));
    const [row] = await rowsOf<{ kept: number }>(
      test,
      'SELECT count(*)::int AS kept FROM mfa_tokens WHERE user_id = $1',
      [person.userId],
    );
    expect(row!.kept).toBe(10);
  });

  it('may be a passkey for sign-in where everybody needs one', async () => {
    const strict = await World.create(test);
    await addSite(strict);
    const own = await FactorSite.register(strict);
    const { passkey, email } = await own.passkeyUser();
    expect((await allow(strict, METHODS, { required: true })).status).toBe(200);
    const { jwt } = await strict.signIn(email);
    expect(scopeOf(jwt)).toBe('requiresAdditionalAuth');
    expect(scopeOf((await own.give({ key: passkey }, jwt)).body.jwt)).toBe('user:basic');
  });

  it('is alone asked for while it is due: a passkey that would be refused is not', async () => {
    const person = await site.passkeyUser();
    const factor = await site.add(person.jwt);
    const named = async (token: string) => {
      type Options = { challenge: string; allowCredentials: { id: string }[] };
      return (await site.challenge<Options>('authenticate', token)).allowCredentials.map(({ id }) => id).toSorted();
    };
    const both = [factor.key.id, person.passkey.id].toSorted();
    expect(await named((await world.signIn(person.email)).jwt)).toEqual(both);
    expect(await named(factor.jwt)).toEqual(both);
    const byPasskey = await site.signIn(person.passkey.get(await site.challenge('signin'), site));
    expect(scopeOf(byPasskey.body.jwt)).toBe('requiresAdditionalAuth');
    expect(await named(byPasskey.body.jwt)).toEqual([factor.key.id]);
  });

  it('is no second factor for a sign-in with a passkey: codes and recovery codes are left', async () => {
    const { passkey, jwt } = await site.passkeyUser();
    await site.add(jwt);
    const again = await site.signIn(passkey.get(await site.challenge('signin'), site));
    expect(scopeOf(again.body.jwt)).toBe('requiresAdditionalAuth');
    const codes = await world.anonymous.get<{ recoveryCodes: string[] }>(at('/recovery'), { token: jwt, expect: 200 });
    const recovered = await world.anonymous.post<{ jwt: string }>(
      at('/auth/recovery'),
      { code: codes.body.recoveryCodes[0] },
      { token: again.body.jwt, expect: 200 },
    );
    expect(scopeOf(recovered.body.jwt)).toBe('user:basic');
  });

  it('answers each challenge once, of 50 concurrent calls, and its counter increases', async () => {
    const factor = await site.add(user.jwt);
    const { jwt } = await world.signIn(user.email);
    const assertion = factor.key.get(await site.challenge('authenticate', jwt), site);
    const all = await Promise.all(Array.from({ length: 50 }, () => site.send(assertion, jwt)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(all.every(({ status }) => [200, 422].includes(status))).toBe(true);
    factor.key.count = 0;
    expect((await site.give(factor, jwt)).body).toMatchObject({ code: 'passkey_counter_went_back' });
  });

  it('accepts each counter value once, however many challenges are answered with it concurrently', async () => {
    const factor = await site.add(user.jwt);
    const { jwt } = await world.signIn(user.email);
    const challenges = await Promise.all(Array.from({ length: 10 }, () => site.challenge('authenticate', jwt)));
    const sameCount = challenges.map((each) => {
      factor.key.count = 0;
      return factor.key.get(each, site);
    });
    const answers = await Promise.all(sameCount.map((assertion) => site.send(assertion, jwt)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const codes = answers.flatMap(({ status, body }) => (status === 200 ? [] : [body.code]));
    expect(new Set(codes)).toEqual(new Set(['passkey_counter_went_back']));
  });

  it('is only for its user, their challenges and their site, with user verification', async () => {
    const factor = await site.add(user.jwt);
    const other = await world.signIn(newEmail());
    const theirs = await site.add(other.jwt);
    const mine = () => site.challenge('authenticate', user.jwt);
    const refusals: [string, object, string][] = [
      ['the key of another user', theirs.key.get(await mine(), site), user.jwt],
      [
        'the challenge of another user',
        factor.key.get(await site.challenge('authenticate', other.jwt), site),
        user.jwt,
      ],
      ['the challenge of a sign-in', factor.key.get(await site.challenge('signin'), site), user.jwt],
      ['nobody there', factor.key.get(await mine(), { ...site.ceremony, flags: { uv: false } }), user.jwt],
      ['another site', factor.key.get(await mine(), { ...site.ceremony, origin: 'https://evil.example' }), user.jwt],
      ['another domain', factor.key.get(await mine(), { ...site.ceremony, rpId: 'evil.example' }), user.jwt],
      ['a key that nobody has registered', new Authenticator().get(await mine(), site), user.jwt],
    ];
    for (const [what, body, token] of refusals)
      expect([what, (await site.send(body, token)).status]).toEqual([what, 422]);
    expect((await site.give(factor, user.jwt)).status).toBe(200);
  });

  it('is added once, of 50 concurrent calls, and not from a response for sign-in', async () => {
    const begun = (await site.begin(user.jwt)).body;
    const body = site.answerTo(begun, new Authenticator());
    const all = await Promise.all(Array.from({ length: 50 }, () => site.finish(body, user.jwt)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    const rows = await rowsOf(test, 'SELECT 1 FROM mfa_devices WHERE user_id = $1', [user.userId]);
    expect(rows).toHaveLength(1);
    const other = await world.signIn(newEmail());
    const options = await site.challenge<{ challenge: string; user: { id: string } }>('register', other.jwt);
    const { id } = (await site.begin(other.jwt)).body;
    const made = site.answerTo({ id, registration: options }, new Authenticator());
    expect((await site.finish(made, other.jwt)).body).toMatchObject({ code: 'passkey_challenge_invalid' });
  });

  it('is a fresh proof if it is older than the session, and cannot be given with a first factor alone', async () => {
    const factor = await site.add(user.jwt);
    const wanted = { requestedScopes: ['wallet:export'] };
    expect((await site.give(factor, user.jwt, wanted)).body).toMatchObject({ code: 'fresh_proof_required' });
    const { jwt } = await world.signIn(user.email);
    expect((await site.begin(jwt)).body).toMatchObject({ code: 'second_factor_required' });
    expect((await site.give(factor, jwt, wanted)).body.elevatedAccessToken).toEqual(expect.any(String));
  });

  it('is a fresh proof as a passkey for sign-in as well, even where it can be no second factor', async () => {
    const { passkey, jwt, email } = await site.passkeyUser();
    const wanted = { requestedScopes: ['wallet:export'] };
    expect((await site.give({ key: passkey }, jwt, wanted)).body).toMatchObject({ code: 'fresh_proof_required' });
    const { jwt: byMail } = await world.signIn(email);
    expect((await site.give({ key: passkey }, byMail, wanted)).body.elevatedAccessToken).toEqual(expect.any(String));
    const again = (await site.signIn(passkey.get(await site.challenge('signin'), site))).body.jwt;
    const proven = await site.give({ key: passkey }, again, wanted);
    expect(proven.body.elevatedAccessToken).toEqual(expect.any(String));
    expect(amrOf(proven.body.jwt)).toEqual(amrOf(again));

    const plain = await World.create(test);
    await addSite(plain);
    const own = await FactorSite.register(plain);
    const person = await own.passkeyUser();
    expect((await own.give({ key: person.passkey }, person.jwt, wanted)).body).toMatchObject({
      code: 'fresh_proof_required',
    });
    const session = await plain.signIn(person.email);
    expect((await own.give({ key: person.passkey }, session.jwt)).body).toMatchObject({ code: 'mfa_invalid_request' });
    const elevated = await own.give({ key: person.passkey }, session.jwt, wanted);
    expect(elevated.body.elevatedAccessToken).toEqual(expect.any(String));
    expect(amrOf(elevated.body.jwt)).toEqual(['otp']);
  });

  it('can coexist with a device that shows codes, and either completes a sign-in', async () => {
    const factor = await site.add(user.jwt);
    const { secret } = await addDevice(world, await refreshed(world, user.jwt));
    const [one, two] = [await world.signIn(user.email), await world.signIn(user.email)];
    // The device that shows codes is not the default one, and is found without its id.
    await world.anonymous.post(at('/auth/totp'), { code: codeOf(secret) }, { token: one.jwt, expect: 200 });
    expect((await site.give(factor, two.jwt)).status).toBe(200);
    const { body } = await site.give(factor, two.jwt, { createMfaToken: { singleUse: true } });
    const put = world.anonymous.put(at(`/${factor.id}`), { default: true }, { token: body.jwt });
    expect((await put).status).toBe(204);
  });

  it('is removed with its key', async () => {
    const factor = await site.add(user.jwt);
    const { body } = await site.give(factor, user.jwt, { createMfaToken: { singleUse: true } });
    const headers = { 'x-mfa-auth-token': body.mfaToken! };
    await world.anonymous.delete(at(`/${factor.id}`), { token: body.jwt, headers, expect: 204 });
    expect(await rowsOf(test, 'SELECT 1 FROM mfa_passkeys WHERE id = $1', [factor.id])).toEqual([]);
    expect(scopeOf((await world.signIn(user.email)).jwt)).toBe('user:basic');
  });
});

describe('a code by mail as second factor', () => {
  it('completes a sign-in by another method, at a verified address of the user', async () => {
    const { jwt, email } = await walletUser();
    const { body } = await giveMail(await mailed(email), jwt);
    expect(amrOf(body.jwt)).toEqual(['pop', 'email']);
    const proof = await giveMail({ ...(await mailed(email)), requestedScopes: ['credential:link'] }, jwt);
    expect(proof.body.elevatedAccessToken).toEqual(expect.any(String));
  });

  it('does not count after a code by mail', async () => {
    const before = amrOf(user.jwt);
    expect((await giveMail(await mailed(user.email), user.jwt)).body).toMatchObject({ code: 'mfa_invalid_request' });
    expect(amrOf(await refreshed(world, user.jwt))).toEqual(before);
  });

  it('does not count at an address of somebody else, or with a wrong code; the right one works once of 50', async () => {
    const { jwt, email } = await walletUser();
    expect((await giveMail(await mailed(user.email), jwt)).body).toMatchObject({ code: 'mfa_invalid_request' });
    const body = await mailed(email);
    const wrong = body['verificationToken'] === '000000' ? '000001' : '000000';
    expect((await giveMail({ ...body, verificationToken: wrong }, jwt)).status).toBe(422);
    const all = await Promise.all(Array.from({ length: 50 }, () => giveMail(body, jwt)));
    expect(all.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(all.every(({ status }) => [200, 422, 429].includes(status))).toBe(true);
  });

  it('is no failure if a rule refuses it: it is valid as soon as its owner is let in', async () => {
    const strict = await World.create(test);
    await addSite(strict);
    expect((await allow(strict, METHODS)).status).toBe(200);
    const { jwt, email } = await walletUser(strict);
    const list = { name: 'Guests', outcome: 'siteAccess' };
    const { id } = (await strict.api.post<{ id: string }>(strict.path('/allowlists'), list, { expect: 201 })).body;
    const turn = (how: string) => strict.api.put(`/allowlists/${id}/${how}`, undefined, { expect: 200 });
    const body = await mailed(email, strict);
    await turn('enable');
    for (let n = 0; n < 7; n += 1) {
      const refused = await giveMail(body, jwt, strict);
      expect([n, refused.status, refused.body.code]).toEqual([n, 403, 'access_denied']);
    }
    await turn('disable');
    expect((await giveMail(body, jwt, strict)).status).toBe(200);
  });

  it('is no fresh proof at an address proven in the same session', async () => {
    const { body } = await world.anonymous.post<{ jwt: string }>(world.sdk('/verify'), await keySignIn(world), {
      expect: 200,
    });
    const email = newEmail();
    const link = world.sdk('/emailVerifications/verify');
    await world.anonymous.post(link, await mailed(email), { token: body.jwt, expect: 200 });
    const given = { ...(await mailed(email)), requestedScopes: ['credential:link'] };
    expect(await giveMail(given, body.jwt)).toMatchObject({ status: 403, body: { code: 'fresh_proof_required' } });
  });

  it('is required if everybody needs a second factor, and a device cannot be added instead', async () => {
    const strict = await World.create(test);
    await addSite(strict);
    const { key, email } = await walletUser(strict);
    expect((await allow(strict, METHODS, { required: true })).status).toBe(200);
    const { body } = await strict.anonymous.post<{ jwt: string }>(strict.sdk('/verify'), await keySignIn(strict, key), {
      expect: 200,
    });
    expect(scopeOf(body.jwt)).toBe('requiresAdditionalAuth');
    const begun = await strict.anonymous.get(at('/register/totp', strict), { token: body.jwt });
    expect(begun).toMatchObject({ status: 403, body: { code: 'second_factor_required' } });
    const given = await giveMail(await mailed(email, strict), body.jwt, strict);
    expect(scopeOf(given.body.jwt)).toBe('user:basic');
  });
});

describe('kinds of factors that the settings do not name', () => {
  it('are refused, and codes by mail alone enable nothing', async () => {
    const other = await World.create(test);
    const elsewhere = await FactorSite.register(other);
    expect(await allow(other, ['email'])).toMatchObject({ status: 422, body: { code: 'setting_not_available' } });
    expect((await allow(other, ['totp'])).status).toBe(200);
    const { jwt, email } = await other.signIn(newEmail());
    expect((await elsewhere.begin(jwt)).body).toMatchObject({ code: 'mfa_invalid_request' });
    expect((await giveMail(await mailed(email, other), jwt, other)).body).toMatchObject({
      code: 'mfa_invalid_request',
    });
    const unknown = { key: new Authenticator(), id: '' } as Factor;
    expect((await elsewhere.give(unknown, jwt)).body).toMatchObject({ code: 'mfa_invalid_request' });
  });
});

describe('a second factor for an action', () => {
  let acting: World;
  let secret: string;
  let person: SignedIn;

  beforeAll(async () => {
    acting = await World.create(test);
    const asked = GUARDED_ACTIONS.map((action) => ({ action, required: true }));
    expect((await allow(acting, ['totp'], { actions: asked })).status).toBe(200);
  });
  beforeEach(async () => {
    person = await acting.signIn(newEmail());
    ({ secret } = await addDevice(acting, person.jwt));
  });

  const update = (token: string, mfaToken?: string) =>
    acting.anonymous.put<{ code?: string; error?: { code: string } }>(
      acting.sdk('/users'),
      { firstName: 'Ada' },
      { token, headers: mfaToken === undefined ? {} : { 'x-mfa-auth-token': mfaToken } },
    );
  const refusal = ({ status, body }: Awaited<ReturnType<typeof update>>) => [status, body.code ?? body.error?.code];
  const REFUSED = [403, 'mfa_token_required'];
  const tokenOf = async ({ jwt }: SignedIn, singleUse: boolean) => {
    await rowsOf(test, 'UPDATE mfa_devices SET last_step = 0 WHERE user_id = $1', [person.userId]);
    const body = { code: codeOf(secret), createMfaToken: { singleUse } };
    const given = await acting.anonymous.post<{ mfaToken: string }>(at('/auth/totp', acting), body, {
      token: jwt,
      expect: 200,
    });
    return given.body.mfaToken;
  };

  it('is required each time, once of 50 concurrent calls for a single-use token', async () => {
    expect(refusal(await update(person.jwt))).toEqual(REFUSED);
    expect(refusal(await update(person.jwt, 'wrong'))).toEqual(REFUSED);
    const token = await tokenOf(person, true);
    const all = await Promise.all(Array.from({ length: 50 }, () => update(person.jwt, token)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(all.filter(({ status }) => status === 403)).toHaveLength(49);
  });

  it('may be valid for several uses of one action, by one user in one session for five minutes', async () => {
    const token = await tokenOf(person, false);
    for (let time = 0; time < 2; time += 1) expect((await update(person.jwt, token)).status).toBe(200);
    const other = await acting.signIn(person.email);
    await tokenOf(other, true);
    expect(refusal(await update(await refreshed(acting, other.jwt), token))).toEqual(REFUSED);
    const stranger = await acting.signIn(newEmail());
    await addDevice(acting, stranger.jwt);
    expect(refusal(await update(stranger.jwt, token))).toEqual(REFUSED);
    // The token was bound to its action by its first use.
    const sign = acting.sdk(`/users/embeddedWallets/${crypto.randomUUID()}/sign`);
    const options = { token: person.jwt, headers: { 'x-mfa-auth-token': token } };
    const signed = await acting.anonymous.post<{ code: string }>(sign, SIGNING, options);
    expect([signed.status, signed.body.code]).toEqual(REFUSED);
    const again = { token: person.jwt, headers: { 'x-mfa-auth-token': await tokenOf(person, true) } };
    expect((await acting.anonymous.post(sign, SIGNING, again)).status).toBe(404);
    await rowsOf(test, 'UPDATE mfa_tokens SET expires_at = now() WHERE user_id = $1', [person.userId]);
    expect(refusal(await update(person.jwt, token))).toEqual(REFUSED);
  });

  it('is not required of users without a device, unless everybody must have one', async () => {
    const { jwt } = await acting.signIn(newEmail());
    expect((await update(jwt)).status).toBe(200);
    // A device that is begun and not confirmed is none: nobody could give a code of it.
    await acting.anonymous.get(at('/register/totp', acting), { token: jwt, expect: 200 });
    expect((await update(jwt)).status).toBe(200);
    const strict = await World.create(test);
    expect(
      (await allow(strict, ['totp'], { required: true, actions: [{ action: 'user.update', required: true }] })).status,
    ).toBe(200);
    const member = await strict.signIn(newEmail());
    await addDevice(strict, member.jwt);
    const token = await refreshed(strict, member.jwt);
    const refused = await strict.anonymous.put<object>(strict.sdk('/users'), { firstName: 'Eve' }, { token });
    expect(refused.status).toBe(403);
  });

  it('is required even after a code by mail of users without a device, if everybody must have one', async () => {
    const strict = await World.create(test);
    await addSite(strict);
    const { key, email } = await walletUser(strict);
    const asked = { required: true, actions: [{ action: 'user.update', required: true }] };
    expect((await allow(strict, ['totp', 'email'], asked)).status).toBe(200);
    const { body } = await strict.anonymous.post<{ jwt: string }>(strict.sdk('/verify'), await keySignIn(strict, key), {
      expect: 200,
    });
    const { jwt: token } = (await giveMail(await mailed(email, strict), body.jwt, strict)).body;
    expect(scopeOf(token)).toBe('user:basic');
    const refused = await strict.anonymous.put<{ code: string }>(strict.sdk('/users'), { alias: 'Eve' }, { token });
    expect([refused.status, refused.body.code]).toEqual(REFUSED);
  });

  it('is required by each of these operations, before its input is checked', async () => {
    const asking = listOperations(apiDocument).filter(({ operation }) => 'x-mfa-action' in operation);
    expect(asking.length).toBeGreaterThanOrEqual(GUARDED_ACTIONS.length);
    for (const { operationId, method, path } of asking) {
      const url = path.replace('{environmentId}', acting.environmentId).replaceAll(/\{\w+\}/g, crypto.randomUUID());
      const headers = { authorization: `Bearer ${person.jwt}`, 'content-type': 'application/json' };
      const body = method === 'get' ? null : '{}';
      const answer = await fetch(`${test.url}${url}`, { method: method.toUpperCase(), headers, body });
      const said = (await answer.json()) as { code?: string; error?: { code: string } };
      expect([operationId, answer.status, said.code ?? said.error?.code]).toEqual([operationId, ...REFUSED]);
    }
  });

  it('is required by existing operations, for every action in the settings', () => {
    const asking = JSON.stringify(apiDocument).matchAll(/"x-mfa-action":"([^"]+)"/g);
    expect(new Set([...asking].map(([, action]) => action))).toEqual(new Set(GUARDED_ACTIONS));
  });
});
