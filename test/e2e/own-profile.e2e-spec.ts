import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { Accounts } from '../support/accounts.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { trySignIn, wrongCode, type Refusal } from '../support/codes.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { World, newEmail, type SignedIn } from '../support/world.js';

type ProfileBody = SignedIn['body'] &
  Refusal & { nextView: string; emailVerification?: { verificationUUID: string; email: string } };

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
});

afterAll(() => test.close());

const update = (token: string, body: unknown) => world.anonymous.put<ProfileBody>(world.sdk('/users'), body, { token });
const verify = (token: string, verificationUUID: string, verificationToken: string) =>
  world.anonymous.post<ProfileBody>(
    world.sdk('/emailVerifications/verify'),
    { verificationUUID, verificationToken },
    { token },
  );
const profile = async (token: string): Promise<Record<string, unknown>> =>
  (await world.anonymous.get<Record<string, unknown>>(world.sdk('/users'), { token, expect: 200 })).body;

const newName = (): string => `name-${newEmail().slice(5, 21)}`;

describe('users who change their profile', () => {
  const FIELDS = {
    alias: 'Countess',
    firstName: 'Ada',
    lastName: 'Lovelace',
    jobTitle: 'Analyst',
    tShirtSize: 'M',
    team: 'Engines',
    country: 'GB',
    policiesConsent: true,
    newsletterNotification: false,
    btcWallet: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    metadata: { looms: [1, { deep: true }], note: 'é' },
  };

  it('find every field in the answer, in the next reading, in the token and in one event', async () => {
    const { jwt, userId, sessionId } = await world.signIn(newEmail());
    const username = newName();
    const { status, body } = await update(jwt, { ...FIELDS, username });
    expect([status, body.nextView]).toEqual([200, 'done']);
    expect(body.user).toMatchObject({ ...FIELDS, username, sessionId });
    expect(await profile(jwt)).toMatchObject({ ...FIELDS, username, sessionId, scope: 'user:basic' });
    expect(decodeJwt(body.jwt!)).toMatchObject({ given_name: 'Ada', family_name: 'Lovelace', username, country: 'GB' });
    expect(decodeJwt(body.jwt!).jti).toBe(decodeJwt(jwt).jti);
    const events = (await eventsOf(test, world.environmentId, userId)).filter(({ name }) => name === 'user.updated');
    expect(events).toEqual([
      expect.objectContaining({ userId, data: expect.objectContaining({ ...FIELDS, username }) }),
    ]);
  });

  it('cannot give themselves a phone number that nobody has proven: nothing of the call is stored', async () => {
    const { jwt } = await world.signIn(newEmail());
    const refused = await update(jwt, { firstName: 'Ada', phoneNumber: '+41446681800' });
    expect([refused.status, refused.body.code]).toEqual([422, 'no_enabled_sms_provider']);
    expect(await profile(jwt)).not.toHaveProperty('firstName');
    expect((await update(jwt, { phoneNumber: '12' })).body.code).toBe('invalid_phone');
    const empty = await update(jwt, { firstName: 'Ada', phoneNumber: '' });
    expect([empty.status, empty.body.nextView]).toEqual([200, 'done']);
    const known = await profile(jwt);
    expect(known).toMatchObject({ firstName: 'Ada' });
    expect(known).not.toHaveProperty('phoneNumber');
    expect(decodeJwt(empty.body.jwt!)).not.toHaveProperty('phone_number');
  });

  it('keep what they do not send, and clear what they send as null where that is allowed', async () => {
    const { jwt } = await world.signIn(newEmail());
    const username = newName();
    await update(jwt, { ...FIELDS, username });
    await update(jwt, { alias: '' });
    expect(await profile(jwt)).toMatchObject({ ...FIELDS, alias: '', username });
    await update(jwt, { country: null, username: null, btcWallet: null });
    const cleared = await profile(jwt);
    for (const name of ['country', 'username', 'btcWallet']) expect(cleared).not.toHaveProperty(name);
    expect(cleared).toMatchObject({ firstName: 'Ada' });
    const unchanged = await update(jwt, {});
    expect([unchanged.status, unchanged.body.nextView]).toEqual([200, 'done']);
  });

  it.each([
    ['null for a name', { firstName: null }],
    ['null for an email', { email: null }],
    ['a number for a name', { lastName: 7 }],
    ['256 characters', { alias: 'a'.repeat(256) }],
    ['a country that is none', { country: 'Great Britain' }],
    ['a text for a flag', { policiesConsent: 'yes' }],
    ['a field nobody knows', { nickname: 'x' }],
    ['an id', { id: '018f0000-0000-7000-8000-000000000000' }],
    ['a proof of the email', { emailVerifiedAt: '2026-01-01T00:00:00.000Z' }],
    ['scopes', { scope: 'admin' }],
    ['credentials', { verifiedCredentials: [] }],
    ['an environment', { projectEnvironmentId: '018f0000-0000-7000-8000-000000000000' }],
    ['a visit', { firstVisit: '2020-01-01T00:00:00.000Z' }],
    ['no address', { email: 'nobody' }],
  ])('are refused %s, and nothing is stored', async (_, body) => {
    const { jwt } = await world.signIn(newEmail());
    const before = await profile(jwt);
    const answer = await update(jwt, { jobTitle: 'Intruder', ...body });
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
    expect(await profile(jwt)).toEqual(before);
  });

  it('are refused metadata beyond 16 384 bytes', async () => {
    const { jwt } = await world.signIn(newEmail());
    const { status, body } = await update(jwt, { metadata: { text: 'é'.repeat(8_200) } });
    expect([status, body.code]).toEqual([422, 'metadata_size_exceeded']);
    expect((await update(jwt, { metadata: { text: 'x'.repeat(16_000) } })).status).toBe(200);
  });

  it('are refused a name that somebody has, in whatever case, until it is let go', async () => {
    const [ada, eve] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
    const username = newName();
    expect((await update(ada.jwt, { username })).status).toBe(200);
    expect((await update(ada.jwt, { username: username.toUpperCase() })).status).toBe(200);
    const taken = await update(eve.jwt, { username, alias: 'Eve' });
    expect([taken.status, taken.body.code]).toEqual([422, 'username_already_exists']);
    expect(await profile(eve.jwt)).not.toHaveProperty('alias');
    await update(ada.jwt, { username: null });
    expect((await update(eve.jwt, { username })).status).toBe(200);
  });

  it('have a name that a server gives to nobody else, of those who are there', async () => {
    const [ada, eve] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
    const username = newName();
    await update(ada.jwt, { username });
    const give = (userId: string, name: string) =>
      world.api.put<{ code: string }>(world.path(`/users/${userId}`), { username: name });
    const taken = await give(eve.userId, username.toUpperCase());
    expect([taken.status, taken.body.code]).toEqual([422, 'username_already_exists']);
    expect((await give(ada.userId, username.toUpperCase())).status).toBe(200);
    const bulk = await world.api.post<{ failed: { code: string }[] }>(
      `${world.path('/users/bulk')}?upsert=true`,
      [{ email: eve.email, username }],
      { expect: 201 },
    );
    expect(bulk.body.failed).toMatchObject([{ code: 'username_already_exists' }]);
    expect((await give(ada.userId, newName())).status).toBe(200);
    const [one, other] = await Promise.all([give(ada.userId, username), update(eve.jwt, { username })]);
    expect([one.status, other.status].toSorted()).toEqual([200, 422]);
  });

  it('take names while a server gives them others and deletes them, and none waits for what another has', async () => {
    const statuses: number[] = [];
    for (let trial = 0; trial < 10; trial += 1) {
      const users = await Promise.all(Array.from({ length: 8 }, () => world.signIn(newEmail())));
      const answers = users.flatMap(({ jwt, userId }) => [
        world.api.put(world.path(`/users/${userId}`), { username: newName() }),
        update(jwt, { username: newName() }),
        world.api.delete(world.path(`/users/${userId}`), { expect: 204 }),
      ]);
      statuses.push(...(await Promise.all(answers)).map(({ status }) => status));
    }
    expect(statuses.filter((status) => ![200, 204, 401, 404].includes(status))).toEqual([]);
  });

  it('get a name once when twenty of them ask for it at once', async () => {
    const users: SignedIn[] = [];
    for (let n = 0; n < 20; n += 1) users.push(await world.signIn(newEmail()));
    const username = newName();
    const answers = await Promise.all(users.map(({ jwt }) => update(jwt, { username })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(19).fill(422)]);
    const having = await rowsOf(test, 'SELECT 1 FROM users WHERE environment_id = $1 AND lower(username) = $2', [
      world.environmentId,
      username,
    ]);
    expect(having).toHaveLength(1);
  });
});

describe('users who change their email', () => {
  it('keep the old one until the code that went to the new one comes back', async () => {
    const { jwt, userId, email } = await world.signIn(newEmail());
    const wanted = newEmail();
    const started = await update(jwt, { email: wanted, alias: 'Ada' });
    expect([started.status, started.body.nextView]).toEqual([200, 'verify-email']);
    expect(started.body.emailVerification).toEqual({ verificationUUID: expect.any(String), email: wanted });
    expect(started.body.user).toMatchObject({ email, alias: 'Ada' });
    expect(await profile(jwt)).toMatchObject({ email });

    const { verificationUUID } = started.body.emailVerification!;
    expect((await verify(jwt, verificationUUID, wrongCode(world.code(wanted)))).body.code).toBe(
      'wrong_email_verification_token',
    );
    expect(await profile(jwt)).toMatchObject({ email });
    const done = await verify(jwt, verificationUUID, world.code(wanted));
    expect([done.status, done.body.nextView]).toEqual([200, 'done']);
    expect(done.body.user).toMatchObject({ id: userId, email: wanted });
    expect(decodeJwt(done.body.jwt!)).toMatchObject({ sub: userId, email: wanted });
    const credentials = (await profile(jwt))['verifiedCredentials'] as { email: string; verifiedAt?: string }[];
    expect(credentials.map((known) => [known.email, Boolean(known.verifiedAt)])).toEqual([
      [email, true],
      [wanted, true],
    ]);
    for (const address of [wanted, email]) expect((await world.signIn(address)).userId).toBe(userId);
    const back = await update(jwt, { email });
    expect([back.body.nextView, back.body.user['email']]).toEqual(['done', email]);
  });

  it('need no code for the address they have, however it is written', async () => {
    const { jwt, email } = await world.signIn(newEmail());
    const { status, body } = await update(jwt, { email: email.toUpperCase() });
    expect([status, body.nextView]).toEqual([200, 'done']);
    expect(body).not.toHaveProperty('emailVerification');
    expect(await profile(jwt)).toMatchObject({ email });
  });

  it('need no proof for the address they have, though a custom field of that name is open', async () => {
    const field = { name: 'Email', enabled: true, required: false, fieldType: 'text', position: 1 };
    const path = world.path('/custom/fields');
    const { id } = (await world.api.post<{ id: string }>(path, field, { expect: 201 })).body;
    const { general } = (await world.owner.get<{ settings: { general: object } }>(world.path(''), { expect: 200 })).body
      .settings;
    await world.owner.put(
      world.path(''),
      { general: { ...general, skipOptionalKYCFieldDuringOnboarding: false } },
      { expect: 200 },
    );
    const { jwt, userId, sessionId, email } = await world.signIn(newEmail());
    expect((await profile(jwt))['missingFields']).toContainEqual(
      expect.objectContaining({ name: 'email', type: 'custom' }),
    );
    await new Accounts(world).age({ sessionId, userId });
    const { status, body } = await update(jwt, { email, alias: 'Ada' });
    expect([status, body.nextView]).toEqual([200, 'done']);
    await world.api.delete(`/custom/fields/${id}`, { expect: 204 });
    await world.owner.put(world.path(''), { general }, { expect: 200 });
  });
});

describe('a code that a signed-in user sends back', () => {
  it('ties its address to the user, with one event', async () => {
    const { jwt, userId, email } = await world.signIn(newEmail());
    const another = newEmail();
    const id = await world.sendCode(another);
    const { status, body } = await verify(jwt, id, world.code(another));
    expect([status, body.nextView, body.user['email']]).toEqual([200, 'done', another]);
    expect((await world.signIn(another)).userId).toBe(userId);
    expect((await world.signIn(email)).userId).toBe(userId);
    const names = (await eventsOf(test, world.environmentId, userId)).map(({ name }) => name);
    expect(names).toEqual(['user.created', 'user.updated']);
  });

  it('is refused when another user has proven the address, whoever sends it', async () => {
    const [ada, eve] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
    const id = await world.sendCode(eve.email);
    const { status, body } = await verify(ada.jwt, id, world.code(eve.email));
    expect([status, body.code]).toEqual([422, 'merge_accounts_confirmation']);
    expect(await profile(ada.jwt)).toMatchObject({ email: ada.email });
    expect((await world.signIn(eve.email)).userId).toBe(eve.userId);
  });

  it('ties an address once when two users send codes for it at once', async () => {
    const [ada, eve] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
    const wanted = newEmail();
    const proofs: [SignedIn, string, string][] = [];
    for (const user of [ada, eve]) proofs.push([user, await world.sendCode(wanted), world.code(wanted)]);
    const answers = await Promise.all(proofs.map(([{ jwt }, id, code]) => verify(jwt, id, code)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    const winner = answers[0]!.status === 200 ? ada : eve;
    expect((await world.signIn(wanted)).userId).toBe(winner.userId);
  });

  it('is refused without a session, and is good once', async () => {
    const { jwt } = await world.signIn(newEmail());
    const another = newEmail();
    const id = await world.sendCode(another);
    const code = world.code(another);
    const request = { verificationUUID: id, verificationToken: code };
    const path = world.sdk('/emailVerifications/verify');
    expect((await world.anonymous.post<unknown>(path, request)).status).toBe(401);
    expect((await verify(jwt, id, code)).status).toBe(200);
    expect((await verify(jwt, id, code)).body.code).toBe('wrong_email_verification_token');
    expect((await trySignIn(world, id, code)).body.code).toBe('wrong_email_verification_token');
  });
});

describe('a question whether a value is free', () => {
  const ask = (token: string, field: string, value: string) =>
    world.anonymous.get<{ available: boolean; field: string; value: string } & Refusal>(
      world.sdk(`/users/check?filter[field]=${field}&filter[value]=${encodeURIComponent(value)}`),
      { token },
    );

  it('is answered for emails and names: what is one’s own or nobody’s is free', async () => {
    const [ada, eve] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
    const username = newName();
    await update(eve.jwt, { username });
    const isFree = async (field: string, value: string): Promise<boolean> =>
      (await ask(ada.jwt, field, value)).body.available;
    expect((await ask(ada.jwt, 'email', newEmail())).body).toEqual(
      expect.objectContaining({ field: 'email', value: expect.any(String), available: true }),
    );
    expect(await isFree('email', ada.email)).toBe(true);
    expect(await isFree('email', eve.email)).toBe(false);
    expect(await isFree('email', eve.email.toUpperCase())).toBe(false);
    expect(await isFree('username', newName())).toBe(true);
    expect(await isFree('username', username)).toBe(false);
    expect(await isFree('username', username.toUpperCase())).toBe(false);
    expect((await ask(eve.jwt, 'username', username)).body.available).toBe(true);
  });

  it('is refused without a session, for other fields and for what is no such value', async () => {
    const { jwt } = await world.signIn(newEmail());
    expect((await ask('', 'email', newEmail())).status).toBe(401);
    expect((await ask(jwt, 'firstName', 'Ada')).status).toBe(400);
    expect((await world.anonymous.get<unknown>(world.sdk('/users/check'), { token: jwt })).status).toBe(400);
    expect((await ask(jwt, 'email', 'nobody')).body.code).toBe('invalid_email');
    expect((await ask(jwt, 'username', 'two words')).body.code).toBe('invalid_username');
    const handle = await ask(jwt, 'name-service-subdomain-handle', 'ada');
    expect(handle.body.code).toBe('name_service_not_available');
  });
});
