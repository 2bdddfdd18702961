import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { DevInbox } from '../../src/providers/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { withoutWaits, wrongCode, type Refusal } from '../support/codes.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { enableSms, newPhone, verifyPhone, type PhoneBody } from '../support/sms.js';
import { countStatements } from '../support/statements.js';
import { newEmail, World } from '../support/world.js';

interface Answered extends Refusal {
  user: { id: string; phoneNumber?: string; verifiedCredentials: Record<string, unknown>[] };
  jwt: string;
  nextView?: string;
  smsVerification?: PhoneBody & { verificationUUID: string };
}

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
  await enableSms(world);
});

afterAll(() => test.close());

const create = (body: object, at = world) =>
  at.anonymous.post<PhoneBody & Refusal & { verificationUUID: string }>(at.sdk('/smsVerifications/create'), body);
const retry = (body: object) => world.anonymous.post<Refusal>(world.sdk('/smsVerifications/retry'), body);
const signIn = (verificationUUID: string, verificationToken: string, at = world) =>
  at.anonymous.post<Answered>(at.sdk('/smsVerifications/signin'), { verificationUUID, verificationToken });
const verify = (token: string, verificationUUID: string, verificationToken: string) =>
  world.anonymous.post<Answered>(
    world.sdk('/smsVerifications/verify'),
    { verificationUUID, verificationToken },
    { token },
  );
const updateSelf = (token: string, body: object) => world.anonymous.put<Answered>(world.sdk('/users'), body, { token });

async function send(phone = newPhone()): Promise<{ id: string; code: string; phone: typeof phone }> {
  const { status, body } = await create(phone.body);
  expect(status).toBe(201);
  return { id: body.verificationUUID, code: world.code(phone.e164), phone };
}

describe('a sign-in by text message', () => {
  it('creates the user of a new number, knows them the next time, and says how they came', async () => {
    const phone = newPhone();
    const started = await create(phone.body);
    expect([started.status, started.body]).toEqual([201, { ...phone.body, verificationUUID: expect.any(String) }]);
    const first = await signIn(started.body.verificationUUID, world.code(phone.e164));
    expect(first.status).toBe(200);
    expect(first.body.user).toMatchObject({
      phoneNumber: phone.e164,
      verifiedCredentials: [{ format: 'phoneNumber', public_identifier: phone.e164, isoCountryCode: 'CH' }],
    });
    expect(decodeJwt(first.body.jwt)).toMatchObject({ phone_number: phone.e164, amr: ['sms'] });
    await rowsOf(test, "UPDATE code_networks SET last_sent_at = last_sent_at - interval '1 minute'");
    const again = await send(phone);
    expect((await signIn(again.id, again.code)).body.user.id).toBe(first.body.user.id);
    const events = await eventsOf(test, world.environmentId, first.body.user.id);
    expect(events.filter(({ name }) => name === 'user.created')).toHaveLength(1);
  });

  it('is in the language of whoever has proven the number, else in one that the browser accepts, else in English', async () => {
    const sent = async (phone: ReturnType<typeof newPhone>, language?: string): Promise<[id: string, text: string]> => {
      const headers: Record<string, string> = language === undefined ? {} : { 'accept-language': language };
      const path = world.sdk('/smsVerifications/create');
      await rowsOf(test, "UPDATE code_networks SET last_sent_at = last_sent_at - interval '1 minute'");
      const { body } = await world.anonymous.post<{ verificationUUID: string }>(path, phone.body, {
        headers,
        expect: 201,
      });
      return [body.verificationUUID, test.app.get(DevInbox).entries.find(({ to }) => to === phone.e164)!.text];
    };
    const english = /^\d{6} is your code for /;
    const german = /^\d{6} ist Ihr Code für /;
    expect((await sent(newPhone(), 'fr, *;q=0.5'))[1]).toMatch(english);
    expect((await sent(newPhone(), 'en;q=0.3, de-AT'))[1]).toMatch(german);
    const phone = newPhone();
    const [id, text] = await sent(phone);
    expect(text).toMatch(english);
    const { body } = await signIn(id, world.code(phone.e164));
    await updateSelf(body.jwt, { metadata: { language: 'de' } });
    expect((await sent(phone, 'en'))[1]).toMatch(german);
  });

  it('is one user and one session when a code comes fifty times at once, and one user when fifty codes do', async () => {
    const { id, code } = await send();
    const answers = await Promise.all(Array.from({ length: 50 }, () => signIn(id, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // Used up by then; or one of more than five tries of a code that nobody had compared yet.
    const refusals = ['wrong_sms_verification_token', 'too_many_sms_verification_attempts'];
    expect(answers.filter(({ body }) => refusals.includes(body.code))).toHaveLength(49);

    const phone = newPhone();
    const verifications: { id: string; code: string }[] = [];
    for (let n = 0; n < 50; n += 1) verifications.push(await send(phone));
    const all = await withoutWaits(test, world.environmentId, () =>
      Promise.all(verifications.map((each) => signIn(each.id, each.code))),
    );
    expect(all.map(({ status }) => status)).toEqual(Array<number>(50).fill(200));
    expect(new Set(all.map(({ body }) => body.user.id)).size).toBe(1);
    const events = await eventsOf(test, world.environmentId, all[0]!.body.user.id);
    expect(events.filter(({ name }) => name === 'user.created')).toHaveLength(1);
  });

  it('takes five tries of a code, each counted before it is compared, when a hundred come at once', async () => {
    const { id, code } = await send();
    const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => signIn(id, wrongCode(code, n + 1))));
    const codes = answers.map(({ body }) => body.code);
    expect(codes.filter((name) => name === 'wrong_sms_verification_token')).toHaveLength(5);
    expect(codes.filter((name) => name === 'too_many_sms_verification_attempts')).toHaveLength(95);
    expect((await signIn(id, code)).body.code).toBe('too_many_sms_verification_attempts');
  });

  it('takes a code for five minutes', async () => {
    const { id, code } = await send();
    const [{ seconds }] = (await rowsOf<{ seconds: number }>(
      test,
      'SELECT extract(epoch FROM expires_at - now())::float AS seconds FROM sms_verifications WHERE id = $1',
      [id],
    )) as [{ seconds: number }];
    expect(seconds).toBeGreaterThan(280);
    expect(seconds).toBeLessThanOrEqual(300);
    await rowsOf(test, "UPDATE sms_verifications SET expires_at = now() - interval '1 second' WHERE id = $1", [id]);
    expect((await signIn(id, code)).body.code).toBe('wrong_sms_verification_token');
  });

  it('takes no code of an email, nor of another environment, though the digits be the same', async () => {
    const { id, code } = await send();
    await rowsOf(
      test,
      `INSERT INTO email_verifications (environment_id, id, email, destination_hash, code_hmac, expires_at)
       SELECT environment_id, id, 'ann@example.com', destination_hash, code_hmac, expires_at FROM sms_verifications
       WHERE id = $1`,
      [id],
    );
    const asMail = await world.anonymous.post<Refusal>(world.sdk('/emailVerifications/signin'), {
      verificationUUID: id,
      verificationToken: code,
    });
    expect(asMail.body.code).toBe('wrong_email_verification_token');
    const other = await World.create(test);
    await enableSms(other);
    expect((await signIn(id, code, other)).body.code).toBe('wrong_sms_verification_token');
    expect((await signIn(id, code)).status).toBe(200);
  });

  it('sends another code for the same number alone; the one before is dead', async () => {
    const { id, code: old, phone } = await send();
    const another = await retry({ ...newPhone().body, verificationUUID: id });
    expect([another.status, another.body.code]).toEqual([422, 'invalid_sms_verification']);
    const again = await retry({ ...phone.body, verificationUUID: id });
    expect([again.status, again.body]).toEqual([201, { ...phone.body, verificationUUID: id }]);
    const code = world.code(phone.e164);
    expect((await signIn(id, old)).status).toBe(code === old ? 200 : 422);
    expect((await signIn(id, code)).status).toBe(code === old ? 422 : 200);
  });
});

describe('a text message', () => {
  it.each([
    ['is no number', { phoneCountryCode: '41', phoneNumber: '12', isoCountryCode: 'CH' }, 'invalid_phone'],
    [
      'is of another dialling code',
      { phoneCountryCode: '44', phoneNumber: '791234567', isoCountryCode: 'CH' },
      'invalid_phone',
    ],
    [
      'hides another country',
      { phoneCountryCode: '41', phoneNumber: '+447911123456', isoCountryCode: 'CH' },
      'invalid_phone',
    ],
    [
      'is of a country that is not enabled',
      { phoneCountryCode: '44', phoneNumber: '7911123456', isoCountryCode: 'GB' },
      'sms_country_not_enabled',
    ],
    [
      'only says that it is Swiss',
      { phoneCountryCode: '44', phoneNumber: '+447911123456', isoCountryCode: 'CH' },
      'sms_country_not_enabled',
    ],
    [
      'is of no country',
      { phoneCountryCode: '800', phoneNumber: '+80012345678', isoCountryCode: 'CH' },
      'sms_country_not_enabled',
    ],
  ])('is not sent where the number %s, and nothing is stored', async (_, body, code) => {
    const { result, statements } = await countStatements(() => create(body));
    expect([result.status, result.body.code]).toEqual([422, code]);
    expect(statements.join('\n')).not.toMatch(/sms_verifications|code_destinations|code_networks|sms_budgets|users/);
  });

  it('is not sent where no provider of texts is enabled, and no code is accepted there', async () => {
    const closed = await World.create(test);
    const answer = await create(newPhone().body, closed);
    expect([answer.status, answer.body.code]).toEqual([422, 'no_enabled_sms_provider']);
    const { id, code } = await send();
    expect((await signIn(id, code, closed)).body.code).toBe('no_enabled_sms_provider');
  });

  it('costs the environment one of its day: fifty at once for five left are five', async () => {
    const frugal = await startTestApp({ env: { ROLE: 'api', SMS_PER_DAY: '5' } });
    try {
      const there = await World.create(frugal);
      await enableSms(there);
      const answers = await Promise.all(Array.from({ length: 50 }, () => create(newPhone().body, there)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused).toHaveLength(45);
      expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['sms_budget_used_up']));
      expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(86_000);
      await rowsOf(frugal, "UPDATE sms_budgets SET day_started_at = day_started_at - interval '25 hours'");
      expect((await create(newPhone().body, there)).status).toBe(201);
    } finally {
      await frugal.close();
    }
  });

  it('is limited for a number as mail is for an address: one when fifty are asked for at once', async () => {
    const limited = await startTestApp({ env: { ROLE: 'api', RATE_LIMIT_SCALE: '1', TRUST_PROXY: '127.0.0.1/32' } });
    try {
      const there = await World.create(limited);
      await enableSms(there);
      const { body } = newPhone();
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          there.anonymous.post(there.sdk('/smsVerifications/create'), body, {
            headers: { 'x-forwarded-for': `203.0.113.${n + 1}` },
          }),
        ),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(49);
    } finally {
      await limited.close();
    }
  });

  it('to a test account is never sent: its code is the fixed one', async () => {
    const account = await world.owner.post<{ code: string; phone: string }>(world.path('/test/account'), undefined, {
      expect: 201,
    });
    const { code, phone } = account.body;
    const started = await create({ phoneCountryCode: '1', phoneNumber: phone.slice(2), isoCountryCode: 'US' });
    expect(started.status).toBe(201);
    expect(() => world.code(phone)).toThrow('No code was sent');
    expect((await signIn(started.body.verificationUUID, code)).status).toBe(200);
  });

  it('costs five statements: the provider as it is asked and as it sends, the code, the budget, the language', async () => {
    const { sent } = await countStatements(
      () => send(),
      () => send(),
    );
    expect(sent.map(({ name }) => name)).toEqual([
      'providers.listEnabled',
      'smsCodes.create',
      'smsBudgets.take',
      'identifierClaims.findLanguage',
      'providers.listEnabled',
    ]);
  });
});

describe('users who change their number', () => {
  it('have it in the profile once the code that went there comes back', async () => {
    const { jwt, userId } = await world.signIn(newEmail());
    const phone = newPhone();
    const started = await updateSelf(jwt, { phoneNumber: phone.e164, alias: 'Ada' });
    expect([started.status, started.body.nextView]).toEqual([200, 'verify-sms']);
    expect(started.body.smsVerification).toEqual({ ...phone.body, verificationUUID: expect.any(String) });
    expect(started.body.user).not.toHaveProperty('phoneNumber');
    const { verificationUUID } = started.body.smsVerification!;
    const wrong = await verify(jwt, verificationUUID, wrongCode(world.code(phone.e164)));
    expect(wrong.body.code).toBe('wrong_sms_verification_token');
    const done = await verify(jwt, verificationUUID, world.code(phone.e164));
    expect([done.status, done.body.nextView]).toEqual([200, 'done']);
    expect(done.body.user).toMatchObject({ id: userId, phoneNumber: phone.e164 });
    await rowsOf(test, "UPDATE code_networks SET last_sent_at = last_sent_at - interval '1 minute'");
    const { id, code } = await send(phone);
    expect((await signIn(id, code)).body.user.id).toBe(userId);
  });

  it('have another one that they have proven in its normal form, however they write it, and lose it with its credential', async () => {
    const { jwt, userId } = await world.signIn(newEmail());
    const [first, second] = [newPhone(), newPhone()];
    for (const phone of [first, second]) expect((await verifyPhone(world, jwt, phone)).status).toBe(200);
    const written = ` ${first.e164.slice(0, 3)} ${first.e164.slice(3, 5)}-${first.e164.slice(5)} `;
    const { status, body } = await updateSelf(jwt, { phoneNumber: written });
    expect([status, body.nextView, body.user.phoneNumber]).toEqual([200, 'done', first.e164]);
    const { id } = body.user.verifiedCredentials.find((own) => own['public_identifier'] === first.e164)!;
    // A server may write it as it likes.
    await world.api.put(world.path(`/users/${userId}`), { phoneNumber: written }, { expect: 200 });
    const path = world.sdk('/verify/unlink');
    const left = await world.anonymous.post<Answered>(path, { verifiedCredentialId: id }, { token: jwt });
    expect([left.status, left.body.user.phoneNumber]).toEqual([200, second.e164]);
  });

  it('are told so, also if they change their address in the same call', async () => {
    const { jwt, email } = await world.signIn(newEmail());
    const [first, second] = [newPhone(), newPhone()];
    for (const phone of [first, second]) expect((await verifyPhone(world, jwt, phone)).status).toBe(200);
    const verificationUUID = await world.sendCode(newEmail());
    const { to } = test.app.get(DevInbox).entries[0]!;
    const code = { verificationUUID, verificationToken: world.code(to) };
    await world.anonymous.post(world.sdk('/emailVerifications/verify'), code, { token: jwt, expect: 200 });
    expect((await updateSelf(jwt, { email, phoneNumber: first.e164 })).status).toBe(200);
    const told = test.app
      .get(DevInbox)
      .entries.filter((mail) => mail.to === email && /details/.test(mail.subject ?? ''));
    expect(told.map(({ text }) => text)).toEqual([
      expect.stringContaining('A phone number that you verified'),
      expect.stringContaining('An email address that you verified'),
    ]);
  });

  it('cannot take a number that somebody else has proven', async () => {
    const { id, code, phone } = await send();
    await signIn(id, code);
    await rowsOf(test, "UPDATE code_networks SET last_sent_at = last_sent_at - interval '1 minute'");
    const eve = await world.signIn(newEmail());
    const again = await send(phone);
    const taken = await verify(eve.jwt, again.id, again.code);
    expect([taken.status, taken.body.code]).toEqual([422, 'merge_accounts_confirmation']);
  });
});
