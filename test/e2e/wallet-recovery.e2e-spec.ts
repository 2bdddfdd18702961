import { createECDH, createSign, randomBytes, randomUUID } from 'node:crypto';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mintEnvironmentId } from '../../src/auth/index.js';
import { UnitOfWork } from '../../src/database/index.js';
import { DevInbox, Mailer } from '../../src/providers/index.js';
import { mailUnavailable } from '../../src/providers/providers.errors.js';
import { PasskeyRecoveriesRepository } from '../../src/wallets/recovery/passkey-recoveries.repository.js';
import { WalletsRepository } from '../../src/wallets/record/wallets.repository.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { Authenticator } from '../support/authenticator.js';
import { newRecipient } from '../support/hpke-open.js';
import { sessionsWaiting } from '../support/lock-waits.js';
import { PasskeySite, type Refusal } from '../support/passkeys.js';
import { withClient } from '../support/postgres.js';
import { freePort } from '../support/ports.js';
import { eventually } from '../support/receiver.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { newStamper, type Stamped } from '../support/stamper.js';
import { proofOf } from '../support/surface/fresh-proof.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

interface WalletJson {
  id: string;
  properties: { keyvaultSubOrganizationId: string; keyvaultUserId: string };
}
type Owner = SignedIn & { wallet: WalletJson; key: ReturnType<typeof newStamper> };
type Answer = { code?: string; payload?: { reason?: string } };

const CALLERS = 50;

describe('ways back to a wallet', () => {
  let test: TestApp;
  let world: World;
  let site: PasskeySite;

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
    site = await PasskeySite.register(world);
  });
  afterAll(() => test.close());

  const path = (rest: string, there = world): string => there.sdk(`/users/embeddedWallets${rest}`);
  const mailsTo = (email: string, subject: string, there = test) =>
    there.app.get(DevInbox).entries.filter((mail) => mail.to === email && mail.subject?.startsWith(subject));
  const codeTo = (email: string, there = test): string => mailsTo(email, 'Your code for ', there)[0]!.code!;
  const namesOf = async (userId: string): Promise<string[]> =>
    (await eventsOf(test, world.environmentId)).filter(({ data }) => data['userId'] === userId).map(({ name }) => name);

  async function owner(email = newEmail()): Promise<Owner> {
    const key = newStamper();
    const person = await world.signIn(email, { sessionPublicKey: key.publicKey });
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['EVM'] }];
    await world.anonymous.post(path(''), { embeddedWallets }, { token: person.jwt, expect: 201 });
    const { body } = await world.api.get<{ user: { wallets: WalletJson[] } }>(world.path(`/users/${person.userId}`));
    return { ...person, wallet: body.user.wallets[0]!, key };
  }

  describe('the recovery e-mail', () => {
    const signedFor = ({ wallet, key }: Owner, parameters: object): Stamped => {
      const { keyvaultSubOrganizationId: organizationId, keyvaultUserId: userId } = wallet.properties;
      const type = 'ACTIVITY_TYPE_UPDATE_USER_EMAIL';
      const timestampMs = String(Date.now());
      return key.stamp({ organizationId, parameters: { userId, ...parameters }, timestampMs, type });
    };
    const update = async ({ jwt }: Owner, keyvaultSignedRequest: Stamped | null, proof = true) =>
      world.anonymous.put<Answer>(
        path('/recoveryEmail'),
        { keyvaultSignedRequest },
        { token: jwt, headers: proof ? await proofOf(world, jwt) : {} },
      );
    const stored = (userId: string) =>
      rowsOf<{ email: string }>(test, 'SELECT email FROM wallet_recovery_emails WHERE user_id = $1', [userId]);

    it('is an address that a code has come back from; it and the one before are told, and codes go there', async () => {
      const person = await owner();
      const userEmail = newEmail();
      const verificationUUID = await world.sendCode(userEmail);
      const request = { userEmail, verificationUUID, verificationToken: world.code(userEmail) };
      expect((await update(person, signedFor(person, request))).status).toBe(204);
      expect(await stored(person.userId)).toEqual([{ email: userEmail }]);
      for (const told of [person.email, userEmail])
        expect(mailsTo(told, 'The recovery address of your wallets')).toHaveLength(1);
      expect(await namesOf(person.userId)).toContain('user.recoveryEmail.updated');
      const asked = {
        walletId: person.wallet.id,
        keyvaultEmailAuthTargetPublicKey: newRecipient('X25519').publicKey.toString('hex'),
      };
      await world.anonymous.post(path('/emailAuth'), asked, { token: person.jwt, expect: 200 });
      expect([
        mailsTo(userEmail, 'Your code for the wallet'),
        mailsTo(person.email, 'Your code for the wallet'),
      ]).toEqual([[expect.anything()], []]);
      expect((await update(person, null)).status).toBe(204);
      expect(await stored(person.userId)).toEqual([]);
      expect(mailsTo(userEmail, 'The recovery address of your wallets')).toHaveLength(2);
    });

    it('is not changed without a fresh proof, a confirmation or the keys of the caller', async () => {
      const [person, other] = [await owner(), await owner()];
      const own = signedFor(person, { userEmail: person.email });
      const foreign = newEmail();
      const verificationUUID = await world.sendCode(foreign);
      const wrong = world.code(foreign) === '000000' ? '000001' : '000000';
      const outcomes = [
        await update(person, own, false),
        await update(person, null, false),
        await update(person, signedFor(person, { userEmail: newEmail() })),
        await update(person, signedFor(person, { userEmail: 'x' })),
        await update(person, signedFor(person, { userEmail: foreign, verificationUUID, verificationToken: wrong })),
        // A right code of another address.
        await update(
          person,
          signedFor(person, { userEmail: newEmail(), verificationUUID, verificationToken: world.code(foreign) }),
        ),
        await update(person, signedFor(other, { userEmail: person.email })),
        await update(person, signedFor(person, { userEmail: person.email, userId: randomUUID() })),
      ];
      expect(outcomes.map(({ status, body }) => [status, body.code])).toEqual([
        [403, 'fresh_proof_required'],
        [403, 'fresh_proof_required'],
        [422, 'recovery_email_unconfirmed'],
        [422, 'recovery_email_unconfirmed'],
        [422, 'wrong_email_verification_token'],
        [422, 'recovery_email_unconfirmed'],
        [422, 'signed_request_refused'],
        [422, 'signed_request_refused'],
      ]);
      expect(await stored(person.userId)).toEqual([]);
    });

    it('is any verified address of the account without a code, in whatever letters it was stated', async () => {
      const email = newEmail();
      const stated = { email: email.toUpperCase(), emailVerifiedAt: new Date(0).toISOString() };
      await world.api.post(world.path('/users'), stated, { expect: 201 });
      const person = await owner(email);
      const more = Array.from({ length: 12 }, newEmail);
      await rowsOf(
        test,
        `INSERT INTO credentials (environment_id, id, user_id, format, sign_in_enabled, email, verified_at)
         SELECT $1, gen_random_uuid(), $2, 'email', true, e, now() FROM unnest($3::text[]) e`,
        [world.environmentId, person.userId, more],
      );
      for (const userEmail of [more.at(-1)!, email]) {
        expect((await update(person, signedFor(person, { userEmail }))).status).toBe(204);
        expect(await stored(person.userId)).toEqual([{ email: userEmail }]);
      }
      const told = test.app.get(DevInbox).entries.filter(({ to }) => to.toLowerCase() === email);
      expect(told.filter(({ subject }) => subject?.startsWith('The recovery address'))).toHaveLength(2);
    });

    it(`is changed once by one request, sent ${CALLERS} times at once`, async () => {
      const person = await owner();
      const signed = signedFor(person, { userEmail: person.email });
      const answers = await Promise.all(Array.from({ length: CALLERS }, () => update(person, signed)));
      expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
      expect(answers.filter(({ body }) => body?.code === 'signed_request_refused')).toHaveLength(CALLERS - 1);
      expect((await namesOf(person.userId)).filter((name) => name === 'user.recoveryEmail.updated')).toHaveLength(1);
    });
  });

  describe('a session key by mail', () => {
    const ask = (jwt: string, walletId: string, target: string, there = world) =>
      there.anonymous.post<Answer & { keyvaultApiKeyId: string; keyvaultUserId: string }>(
        path('/emailAuth', there),
        { walletId, keyvaultEmailAuthTargetPublicKey: target },
        { token: jwt },
      );

    it('goes to the address of the profile, in whatever letters that is written', async () => {
      const [person, other] = [await owner(), newEmail()];
      await rowsOf(
        test,
        `INSERT INTO credentials (environment_id, id, user_id, format, sign_in_enabled, email, verified_at, created_at)
         VALUES ($1, gen_random_uuid(), $2, 'email', true, $3, now(), now() - interval '1 day')`,
        [world.environmentId, person.userId, other],
      );
      await rowsOf(test, 'UPDATE users SET email = upper(email) WHERE id = $1', [person.userId]);
      const target = newRecipient('X25519').publicKey.toString('hex');
      expect((await ask(person.jwt, person.wallet.id, target)).status).toBe(200);
      const received = [person.email, other].map((to) => mailsTo(to, 'Your code for the wallet').length);
      expect(received).toEqual([1, 0]);
    });

    it.each(['P256', 'X25519'] as const)(
      'opens with the key of the client (%s) alone, and stamps requests',
      async (kem) => {
        const person = await owner();
        const recipient = newRecipient(kem);
        const { status, body } = await ask(person.jwt, person.wallet.id, recipient.publicKey.toString('hex'));
        expect([status, body.keyvaultUserId]).toEqual([200, person.wallet.properties.keyvaultUserId]);
        const sealed = Buffer.from(codeTo(person.email), 'base64url');
        const [enc, ciphertext] = [recipient.publicKey.length].map((at) => [
          sealed.subarray(0, at),
          sealed.subarray(at),
        ])[0]!;
        const info = (id: string) =>
          Buffer.from(['email-auth/v1', world.environmentId, person.userId, person.wallet.id, id].join('|'));
        const none = Buffer.alloc(0);
        expect(() => newRecipient(kem).open(enc!, ciphertext!, info(body.keyvaultApiKeyId), none)).toThrow();
        expect(() => recipient.open(enc!, ciphertext!, info(randomUUID()), none)).toThrow();
        const secret = recipient.open(enc!, ciphertext!, info(body.keyvaultApiKeyId), none);
        const elsewhere = await world.signIn(person.email);
        const create = async (chain: string, token: string) => {
          const prepared = await world.anonymous.get(path(`/walletAccounts/createRequest?chain=${chain}`), {
            token,
            expect: 200,
          });
          const keyvaultSignedRequest = stampedBy(secret, JSON.stringify(prepared.body));
          return world.anonymous.post<Answer>(path('/walletAccounts'), { keyvaultSignedRequest }, { token });
        };
        expect((await create('SOL', elsewhere.jwt)).body.payload?.reason).toMatch(/not one of this session/);
        for (const chain of ['SOL', 'SUI']) expect((await create(chain, person.jwt)).status).toBe(201);
        const [mail] = mailsTo(person.email, 'Your code for the wallet');
        expect(mail!.text).toContain('can be used several times');
      },
    );

    it('ends when mails go elsewhere, and where the team has turned the way off', async () => {
      const person = await owner();
      const mailedKey = async () => {
        const recipient = newRecipient('X25519');
        const { body } = await ask(person.jwt, person.wallet.id, recipient.publicKey.toString('hex'));
        const sealed = Buffer.from(codeTo(person.email), 'base64url');
        const bound = ['email-auth/v1', world.environmentId, person.userId, person.wallet.id, body.keyvaultApiKeyId];
        const [enc, info] = [sealed.subarray(0, 32), Buffer.from(bound.join('|'))];
        return recipient.open(enc, sealed.subarray(32), info, Buffer.alloc(0));
      };
      const use = async (secret: Buffer, chain: string) => {
        const prepared = await world.anonymous.get(path(`/walletAccounts/createRequest?chain=${chain}`), {
          token: person.jwt,
          expect: 200,
        });
        const body = { keyvaultSignedRequest: stampedBy(secret, JSON.stringify(prepared.body)) };
        const answer = await world.anonymous.post<Answer>(path('/walletAccounts'), body, { token: person.jwt });
        return answer.body.payload?.reason ?? answer.status;
      };
      const turn = (emailRecoveryEnabled: boolean) =>
        world.owner.put(world.path(''), { sdk: { embeddedWallets: { emailRecoveryEnabled } } }, { expect: 200 });
      const secret = await mailedKey();
      await turn(false);
      expect(await use(secret, 'SOL')).toMatch(/turned off/);
      await turn(true);
      expect(await use(secret, 'SOL')).toBe(201);
      const options = { token: person.jwt, headers: await proofOf(world, person.jwt), expect: 204 };
      await world.anonymous.put(path('/recoveryEmail'), { keyvaultSignedRequest: null }, options);
      expect(await use(secret, 'SUI')).toMatch(/not one of this session/);
    });

    it('is made for wallets of the caller, keys that are keys, and three times an hour', async () => {
      const [person, other] = [await owner(), await owner()];
      const target = newRecipient('X25519').publicKey.toString('hex');
      expect((await ask(other.jwt, person.wallet.id, target)).status).toBe(404);
      for (const text of ['x', '00'.repeat(32), `04${'ff'.repeat(64)}`]) {
        expect(await ask(person.jwt, person.wallet.id, text)).toMatchObject({
          status: 400,
          body: { code: 'validation_failed' },
        });
      }
      await rowsOf(test, 'UPDATE wallets SET claimed_at = NULL WHERE id = $1', [other.wallet.id]);
      expect((await ask(other.jwt, other.wallet.id, target)).body.code).toBe('wallet_not_claimed');
      expect(mailsTo(other.email, 'Your code for the wallet')).toEqual([]);
      const env = { ROLE: 'api', RATE_LIMIT_SCALE: '1' };
      const limited = await startTestApp({ env, databaseUrl: test.databaseUrl });
      try {
        const there = Object.assign(Object.create(World.prototype) as World, world, { test: limited });
        const answers = await Promise.all(
          Array.from({ length: CALLERS }, () => ask(person.jwt, person.wallet.id, target, there)),
        );
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
        expect(answers.filter(({ status }) => status === 429)).toHaveLength(CALLERS - 3);
        expect(mailsTo(person.email, 'Your code for the wallet', limited)).toHaveLength(3);
      } finally {
        await limited.close();
      }
    });
  });

  describe('a lost passkey', () => {
    const begin = ({ jwt, wallet }: Owner, target: string | null = null) =>
      world.anonymous.post<Answer & { keyvaultRecoveryUserId: string }>(
        path('/passkeyRecovery'),
        { walletId: wallet.id, keyvaultRecoveryTargetPublicKey: target },
        { token: jwt },
      );
    const loser = async (): Promise<Owner & { lost: Authenticator }> => {
      const person = await owner();
      const elevated = (await proofOf(world, person.jwt))['x-elevated-access-token']!;
      return { ...person, lost: await site.add({ ...person, elevated }) };
    };
    /** What the client brings: a passkey that was made under a code. */
    const made = async (person: Owner, challenge: string, key = new Authenticator(), origin = site.origin) => {
      const { user } = await site.creation({ ...person, elevated: '' });
      const { id, response } = key.create({ challenge, user }, { origin, rpId: site.rpId });
      const { clientDataJson, attestationObject } = response;
      const transports = ['AUTHENTICATOR_TRANSPORT_INTERNAL', 'AUTHENTICATOR_TRANSPORT_HYBRID'];
      return { credentialId: id, clientDataJson, attestationObject, transports };
    };
    const complete = (jwt: string, walletId: string, challenge: string, attestation: object, more = {}) =>
      world.anonymous.put<Refusal>(
        path('/passkeyRecovery'),
        { walletId, challenge, attestation, ...more },
        { token: jwt, headers: { origin: site.origin } },
      );

    it('is replaced by one that was made under the code of the mail: the old one signs nobody in any more', async () => {
      const person = await loser();
      const elsewhere = await world.signIn(person.email);
      expect((await begin(person)).status).toBe(201);
      expect(mailsTo(person.email, 'Someone is about to replace your passkeys')).toHaveLength(1);
      const code = codeTo(person.email);
      const found = new Authenticator();
      const answer = await complete(person.jwt, person.wallet.id, code, await made(person, code, found));
      expect(answer.status).toBe(201);
      const { body } = await site.list(person);
      expect(body.passkeys.map(({ credentialId }) => credentialId)).toEqual([found.id]);
      expect((await site.signIn(found.get(await site.request(), site))).body.user.id).toBe(person.userId);
      expect((await site.signIn(person.lost.get(await site.request(), site))).body.code).toBe('passkey_not_found');
      const old = await world.anonymous.get(world.sdk('/users'), { token: elsewhere.jwt });
      expect(old.status).toBe(401);
      const names = await namesOf(person.userId);
      expect(names.filter((name) => name.startsWith('user.passkeyRecovery.'))).toEqual([
        'user.passkeyRecovery.started',
        'user.passkeyRecovery.completed',
      ]);
      expect(mailsTo(person.email, 'Your passkeys')).toHaveLength(1);
      expect((await complete(person.jwt, person.wallet.id, code, await made(person, code))).body.code).toBe(
        'passkey_recovery_refused',
      );
    });

    it('sends its code to the address that was chosen while it was being begun, as codes for the wallet are', async () => {
      const [person, chosen] = [await loser(), newEmail()];
      const walletId = person.wallet.id;
      const target = { keyvaultEmailAuthTargetPublicKey: newRecipient('X25519').publicKey.toString('hex') };
      const calls = [
        () => begin(person),
        () => world.anonymous.post<Answer>(path('/emailAuth'), { walletId, ...target }, { token: person.jwt }),
      ];
      for (const call of calls) {
        await rowsOf(test, 'DELETE FROM wallet_recovery_emails WHERE user_id = $1', [person.userId]);
        await withClient(test.databaseUrl, async (client) => {
          await client.query('BEGIN');
          await client.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [person.userId]);
          const answer = call();
          await eventually('waits for the user', async () => (await sessionsWaiting(test.databaseUrl)) > 0);
          const values = [world.environmentId, person.userId, chosen];
          await client.query(
            'INSERT INTO wallet_recovery_emails (environment_id, user_id, email) VALUES ($1, $2, $3)',
            values,
          );
          await client.query('COMMIT');
          expect((await answer).status).toBeLessThan(300);
        });
      }
      expect([mailsTo(chosen, 'Your code for '), mailsTo(person.email, 'Your code for ')]).toEqual([
        [expect.anything(), expect.anything()],
        [],
      ]);
    });

    it('waits, with another address for codes, for what is begun for the one that is there', async () => {
      const person = await loser();
      const headers = await proofOf(world, person.jwt);
      await withClient(test.databaseUrl, async (client) => {
        await client.query('BEGIN');
        await client.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [person.userId]);
        const body = { keyvaultSignedRequest: null };
        const answer = world.anonymous.put(path('/recoveryEmail'), body, { token: person.jwt, headers });
        await eventually('waits for the user', async () => (await sessionsWaiting(test.databaseUrl)) > 0);
        await client.query('COMMIT');
        expect((await answer).status).toBe(204);
      });
    });

    it('is not replaced by a code that went where codes go no more', async () => {
      const person = await loser();
      await begin(person);
      const code = codeTo(person.email);
      await rowsOf(test, 'INSERT INTO wallet_recovery_emails (environment_id, user_id, email) VALUES ($1, $2, $3)', [
        world.environmentId,
        person.userId,
        newEmail(),
      ]);
      const options = { token: person.jwt, headers: await proofOf(world, person.jwt), expect: 204 };
      await world.anonymous.put(path('/recoveryEmail'), { keyvaultSignedRequest: null }, options);
      const late = await complete(person.jwt, person.wallet.id, code, await made(person, code));
      expect([late.status, late.body.code]).toEqual([422, 'passkey_recovery_refused']);
    });

    it('stays with the passkeys there are once the team has turned it off, though the code was mailed before', async () => {
      const person = await loser();
      await begin(person);
      const code = codeTo(person.email);
      const turn = (passkeyEmbeddedWalletRecoveryEnabled: boolean) =>
        world.owner.put(world.path(''), { sdk: { passkeyEmbeddedWalletRecoveryEnabled } }, { expect: 200 });
      await turn(false);
      const off = await complete(person.jwt, person.wallet.id, code, await made(person, code));
      await turn(true);
      expect([off.status, off.body.code]).toEqual([422, 'wallet_recovery_off']);
      expect((await complete(person.jwt, person.wallet.id, code, await made(person, code))).status).toBe(201);
    });

    it('takes a code that was sealed to the client', async () => {
      const person = await loser();
      const recipient = newRecipient('X25519');
      const { body } = await begin(person, recipient.publicKey.toString('hex'));
      const sealed = Buffer.from(codeTo(person.email), 'base64url');
      const binding = [world.environmentId, person.userId, person.wallet.id, body.keyvaultRecoveryUserId];
      const info = Buffer.from(['passkey-recovery/v1', ...binding].join('|'));
      const secret = recipient.open(sealed.subarray(0, 32), sealed.subarray(32), info, Buffer.alloc(0));
      const code = secret.toString('base64url');
      expect((await complete(person.jwt, person.wallet.id, code, await made(person, code))).status).toBe(201);
      const [row] = await rowsOf<{ text: string }>(
        test,
        'SELECT r::text AS text FROM wallet_passkey_recoveries r WHERE user_id = $1',
        [person.userId],
      );
      expect(row!.text).not.toContain(secret.toString('hex'));
    });

    it(`is replaced once, of ${CALLERS} answers at once, and five are looked at`, async () => {
      const person = await loser();
      await begin(person);
      const code = codeTo(person.email);
      const answers = await Promise.all(
        Array.from({ length: CALLERS }, async () =>
          complete(person.jwt, person.wallet.id, code, await made(person, code)),
        ),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 422]));
      expect((await site.list(person)).body.count).toBe(1);
    });

    it('is not replaced after five wrong codes, by another session, an old code or a passkey made elsewhere', async () => {
      const person = await loser();
      await begin(person);
      const replaced = codeTo(person.email);
      await begin(person);
      const code = codeTo(person.email);
      const elsewhere = await world.signIn(person.email);
      const wrong = randomBytes(32).toString('base64url');
      const { jwt, wallet } = person;
      const codes = [
        await complete(elsewhere.jwt, wallet.id, code, await made(person, code)),
        await complete(jwt, wallet.id, replaced, await made(person, replaced)),
        await complete(jwt, wallet.id, code, await made(person, wrong)),
        await complete(jwt, wallet.id, code, await made(person, code, new Authenticator(), 'https://evil.example')),
        await complete(jwt, wallet.id, wrong, await made(person, wrong)),
        await complete(jwt, wallet.id, wrong, await made(person, wrong)),
        await complete(jwt, wallet.id, code, await made(person, code)),
      ].map(({ body }) => body.code);
      expect(codes).toEqual([
        'passkey_recovery_refused',
        'passkey_recovery_refused',
        'passkey_challenge_invalid',
        'passkey_not_verified',
        'passkey_recovery_refused',
        'passkey_recovery_refused',
        'passkey_recovery_refused',
      ]);
      const { body } = await site.list(person);
      expect(body.passkeys.map(({ credentialId }) => credentialId)).toEqual([person.lost.id]);
    });

    it('stands behind the captcha of the environment', async () => {
      const person = await loser();
      await begin(person);
      const code = codeTo(person.email);
      const passkey = await made(person, code);
      const captcha = (enabled: boolean) =>
        world.owner.put(world.path(''), { security: { captcha: { enabled } } }, { expect: 200 });
      await captcha(true);
      try {
        const without = await complete(person.jwt, person.wallet.id, code, passkey);
        expect(without.body.code).toBe('captcha_refused');
        const { body: challenge } = await world.anonymous.get<Parameters<typeof solveChallenge>[0]['challenge']>(
          world.sdk('/captcha/challenge'),
          { expect: 200 },
        );
        const solution = await solveChallenge({ challenge, deriveKey });
        const captchaToken = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
        expect((await complete(person.jwt, person.wallet.id, code, passkey, { captchaToken })).status).toBe(201);
      } finally {
        await captcha(false);
      }
    });

    describe('beside a removal of the wallet by the team', () => {
      /** Has a passkey that nobody signs in with here. */
      const holder = async (): Promise<Owner> => {
        const person = await owner();
        await rowsOf(
          test,
          `INSERT INTO credentials (environment_id, id, user_id, format, verified_at)
           VALUES ($1, $2, $3, 'passkey', now())`,
          [world.environmentId, randomUUID(), person.userId],
        );
        return person;
      };
      const removal = ({ wallet }: Owner) => world.api.delete<Answer>(world.path(`/wallets/${wallet.id}`));

      it('is begun before the wallet goes, whatever each has locked already', async () => {
        const person = await holder();
        const environmentId = mintEnvironmentId(world.environmentId);
        const id = (await begin(person)).body.keyvaultRecoveryUserId;
        const recoveries = test.app.get(PasskeyRecoveriesRepository, { strict: false });
        const wallets = test.app.get(WalletsRepository, { strict: false });
        const again = { id: randomUUID(), userId: person.userId, sessionId: randomUUID(), walletId: person.wallet.id };
        let removed: ReturnType<typeof removal> | undefined;
        const begun = test.app.get(UnitOfWork, { strict: false }).run(async (tx) => {
          expect(await wallets.lockUser(environmentId, person.userId, tx)).toBe(true);
          expect(await recoveries.use(environmentId, id, tx)).toBe(true);
          removed = removal(person);
          await eventually('the removal waits', async () => (await sessionsWaiting(test.databaseUrl)) > 0);
          return recoveries.open(environmentId, { ...again, challengeHash: randomBytes(32) }, tx);
        });
        expect(await begun).toBe(true);
        expect((await removed)?.status).toBe(204);
      });

      it.each([1, 2, 3])(
        `never ends in a conflict, ${CALLERS} calls at once (round %i)`,
        async () => {
          const people = await Promise.all(Array.from({ length: CALLERS / 2 }, holder));
          for (const { status } of await Promise.all(people.map((one) => begin(one)))) expect(status).toBe(201);
          const [begun, removed] = await Promise.all([
            Promise.all(people.map((one) => begin(one))),
            Promise.all(people.map(removal)),
          ]);
          expect(removed.map(({ status }) => status)).toEqual(people.map(() => 204));
          // Whoever comes after the removal finds no wallet.
          expect(begun.filter(({ status }) => status !== 201 && status !== 404)).toEqual([]);
        },
        120_000,
      );
    });

    it('is still replaced by the earlier code after a mail that has not left; nobody is told of another', async () => {
      const person = await loser();
      await begin(person);
      const code = codeTo(person.email);
      const env = { ROLE: 'api', SMTP_URL: `smtp://127.0.0.1:${await freePort()}` };
      const mute = await startTestApp({ env, databaseUrl: test.databaseUrl });
      try {
        const there = Object.assign(Object.create(World.prototype) as World, world, { test: mute });
        const asked = { walletId: person.wallet.id, keyvaultRecoveryTargetPublicKey: null };
        const options = { token: person.jwt, expect: 503 };
        await there.anonymous.post(path('/passkeyRecovery', there), asked, options);
      } finally {
        await mute.close();
      }
      expect((await namesOf(person.userId)).filter((name) => name === 'user.passkeyRecovery.started')).toHaveLength(1);
      expect((await complete(person.jwt, person.wallet.id, code, await made(person, code))).status).toBe(201);
    });

    it('is replaced by the newest code though its mail may not have arrived, and by none that went elsewhere', async () => {
      const person = await loser();
      const mailer = test.app.get(Mailer);
      const send = mailer.send.bind(mailer);
      const codes: string[] = [];
      const unsure = async () => Promise.reject(mailUnavailable({ retryAfterSeconds: 30 }));
      const beginning = async (after: () => Promise<unknown>) => {
        mailer.send = async (mail) => {
          mailer.send = send;
          codes.push(mail.code!);
          await send(mail);
          await after();
        };
        return (await begin(person).finally(() => (mailer.send = send))).status;
      };
      const elsewhere = () =>
        rowsOf(test, 'INSERT INTO wallet_recovery_emails (environment_id, user_id, email) VALUES ($1, $2, $3)', [
          ...[world.environmentId, person.userId, newEmail()],
        ]);
      expect([await beginning(async () => undefined), await beginning(unsure), await beginning(elsewhere)]).toEqual([
        ...[201, 503, 201],
      ]);
      expect((await namesOf(person.userId)).filter((name) => name === 'user.passkeyRecovery.started')).toHaveLength(2);
      const [first, second, third] = codes as [string, string, string];
      for (const [code, status] of [
        [first, 422],
        [third, 422],
        [second, 201],
      ] as const) {
        expect((await complete(person.jwt, person.wallet.id, code, await made(person, code))).status).toBe(status);
      }
    });

    it('asks for a recent proof, a wallet of the caller and a passkey to replace', async () => {
      const [person, other] = [await loser(), await owner()];
      expect((await begin(other)).body.code).toBe('no_passkey_to_recover');
      expect((await begin({ ...other, wallet: person.wallet })).status).toBe(404);
      await begin(person);
      const code = codeTo(person.email);
      const passkey = await made(person, code);
      expect((await complete(other.jwt, person.wallet.id, code, passkey)).status).toBe(404);
      await rowsOf(test, "UPDATE sessions SET created_at = created_at - interval '6 minutes' WHERE user_id = $1", [
        person.userId,
      ]);
      expect((await complete(person.jwt, person.wallet.id, code, passkey)).body.code).toBe('fresh_proof_required');
      await rowsOf(test, "UPDATE wallet_passkey_recoveries SET expires_at = now() - interval '1 second'");
      expect((await complete(person.jwt, person.wallet.id, code, passkey)).body.code).toBe('passkey_recovery_refused');
    });
  });

  it.each([
    ['emailAuth', 'keyvaultEmailAuthTargetPublicKey', 'sdk.embeddedWallets.emailRecoveryEnabled'],
    ['passkeyRecovery', 'keyvaultRecoveryTargetPublicKey', 'sdk.passkeyEmbeddedWalletRecoveryEnabled'],
  ])('%s is refused where the team has turned it off', async (way, field, setting) => {
    const off = await World.create(test);
    const nested = setting.split('.').reduceRight<unknown>((value, name) => ({ [name]: value }), false);
    await off.owner.put(off.path(''), nested, { expect: 200 });
    const person = await off.signIn(newEmail());
    const [email, token] = [person.email, person.jwt];
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['EVM'] }];
    await off.anonymous.post(path('', off), { embeddedWallets }, { token, expect: 201 });
    const { body: read } = await off.api.get<{ user: { wallets: WalletJson[] } }>(off.path(`/users/${person.userId}`));
    const asked = { walletId: read.user.wallets[0]!.id, [field]: newRecipient('P256').publicKey.toString('hex') };
    const { status, body } = await off.anonymous.post<Answer>(path(`/${way}`, off), asked, { token });
    expect([status, body.code, body.payload]).toEqual([422, 'wallet_recovery_off', { setting }]);
    expect([...mailsTo(email, 'Your code for the'), ...mailsTo(email, 'Your code for a new')]).toEqual([]);
  });

  it('are 503 while mails cannot be handed over', async () => {
    const person = await owner();
    const elevated = (await proofOf(world, person.jwt))['x-elevated-access-token']!;
    await site.add({ ...person, elevated });
    const env = { ROLE: 'api', SMTP_URL: `smtp://127.0.0.1:${await freePort()}` };
    const mute = await startTestApp({ env, databaseUrl: test.databaseUrl });
    try {
      const there = Object.assign(Object.create(World.prototype) as World, world, { test: mute });
      const target = newRecipient('P256').publicKey.toString('hex');
      for (const [way, field] of [
        ['emailAuth', 'keyvaultEmailAuthTargetPublicKey'],
        ['passkeyRecovery', 'keyvaultRecoveryTargetPublicKey'],
      ] as const) {
        const asked = { walletId: person.wallet.id, [field]: target };
        const options = { token: person.jwt, expect: 503 };
        const { body } = await there.anonymous.post<Answer>(path(`/${way}`, there), asked, options);
        expect([way, body.code]).toEqual([way, 'mail_unavailable']);
      }
    } finally {
      await mute.close();
    }
  });
});

/** A stamp of a private key, as the client makes it that has opened the mail. */
function stampedBy(secret: Buffer, body: string): Stamped {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(secret);
  const point = pair.getPublicKey();
  const coordinate = (at: number): string => point.subarray(at, at + 32).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33), d: secret.toString('base64url') };
  const signature = createSign('sha256').update(body).sign({ key: jwk, format: 'jwk' }, 'hex');
  const publicKey = pair.getPublicKey('hex', 'compressed');
  const value = { publicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature };
  const stampHeaderValue = Buffer.from(JSON.stringify(value)).toString('base64url');
  return { body, stamp: { stampHeaderName: 'X-Stamp', stampHeaderValue }, url: 'https://example.com' };
}
