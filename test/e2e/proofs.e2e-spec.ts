import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { StepUp, type ElevatedScope } from '../../src/auth/index.js';
import { Accounts } from '../support/accounts.js';
import type { Answer } from '../support/client.js';
import {
  listOperations,
  readDocument,
  resolveReference,
  type JsonSchema,
} from '../support/contract/openapi-document.js';
import { Doors, type Credential, type DoorAnswer, type Linkable } from '../support/doors.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { refreshed, steadyDevice } from '../support/second-factor.js';
import { newLogin } from '../support/telegram.js';
import { newKey } from '../support/wallet-sign-in.js';
import { newEmail, type World } from '../support/world.js';

let doors: Doors;
let world: World;
let accounts: Accounts;

beforeAll(async () => {
  doors = await Doors.open();
  ({ world } = doors);
  accounts = new Accounts(world);
});
afterAll(() => doors.close());

/** How the tokens of a sign-in say that it was done (RFC 8176), for each way to do it. */
const WAYS: [string, string[], () => Credential | Promise<Credential>][] = [
  ['a code by mail', ['otp'], () => doors.email()],
  ['a code by text message', ['sms'], () => doors.sms()],
  ['a wallet', ['pop'], () => doors.wallet()],
  ['an account at a provider', ['fed'], () => doors.oauth()],
  ['an account of the messaging network', ['fed'], () => doors.telegram()],
  ['an account of the frame network', ['pop'], () => doors.frame()],
  ['a passkey', ['hwk', 'user'], () => doors.passkey()],
  ['a token of another service', ['external'], () => doors.external()],
];
const CONTACT = ['user.updated', 'user.updated'];
const SOCIAL = ['user.social.linked', 'user.social.unlinked'];
const WALLET = ['wallet.linked', 'wallet.unlinked'];
/** What a signed-in user can add, by the operation that adds it, and the events of adding it and of giving it up. */
const LINKS: [string, () => Linkable, string[]][] = [
  ['verifyEmailVerification', () => doors.email(), CONTACT],
  ['verifySmsVerification', () => doors.sms(), CONTACT],
  ['oauthVerify', () => doors.oauth(), SOCIAL],
  ['telegramVerify', () => doors.telegram(), SOCIAL],
  ['frameappVerify', () => doors.frame(), SOCIAL],
  ['walletsVerify', () => doors.wallet(newKey(), '/wallets/signin', '/wallets/verify'), WALLET],
  ['verifyLink', () => doors.wallet(), WALLET],
];

const REFUSED = [403, 'fresh_proof_required'];
const outcome = ({ status, body }: Answer<DoorAnswer>): unknown[] => [status, body.error?.code ?? body.code];

describe('a sign-in', () => {
  it.each(WAYS)('by %s says how and when its person was proven, now and at a refresh', async (way, amr, make) => {
    const began = Math.floor(Date.now() / 1_000);
    const credential = await make();
    const { jwt, minifiedJwt } = await doors.enter(credential);
    const ended = Math.ceil(Date.now() / 1_000);
    const claims = decodeJwt(jwt);
    expect(claims['amr']).toEqual(amr);
    for (const token of [minifiedJwt, await refreshed(world, jwt)])
      expect(decodeJwt(token)).toMatchObject({ amr, auth_time: claims['auth_time'] });
    // The messaging network said a minute before that it knew the person.
    const earlier = way.includes('messaging') ? 60 : 0;
    expect(claims['auth_time']).toBeGreaterThanOrEqual(began - earlier - 1);
    expect(claims['auth_time']).toBeLessThanOrEqual(ended - earlier);
  });

  it('that rests on what another service says is as old as that', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const hoursAgo = now - 7_200;
    for (const [claims, time] of [
      [{ auth_time: hoursAgo, iat: now - 30 }, hoursAgo],
      [{ iat: now - 30 }, now - 30],
      // Nobody was proven after the token that says so was made.
      [{ auth_time: now + 3_600, iat: now - 30 }, now - 30],
    ] as const)
      expect(decodeJwt((await doors.enter(doors.external(claims))).jwt)['auth_time']).toBe(time);
  });

  it('is a proof of the last minutes where its person was proven then, however new the session', async () => {
    const hoursAgo = Math.floor(Date.now() / 1_000) - 7_200;
    const old = await doors.enter(doors.external({ auth_time: hoursAgo }));
    expect(outcome(await doors.email().link(old.jwt))).toEqual(REFUSED);
    const begun = await world.anonymous.get<{ code: string }>(world.sdk('/users/mfa/register/totp'), {
      token: old.jwt,
    });
    expect([begun.status, begun.body.code]).toEqual(REFUSED);
    const fresh = await doors.enter(doors.external());
    expect((await doors.email().link(fresh.jwt)).status).toBe(200);
  });

  it.each(WAYS)('by %s and a second factor names both, and is of no higher level', async (_, amr, make) => {
    const credential = await make();
    const first = await doors.enter(credential);
    const { code } = await steadyDevice(world, first.jwt);
    const recovery = await world.anonymous.get<{ recoveryCodes: string[] }>(world.sdk('/users/mfa/recovery'), {
      token: first.jwt,
      expect: 200,
    });
    for (const [name, given] of [
      ['totp', async () => ({ code: await code() })],
      ['recovery', async () => ({ code: recovery.body.recoveryCodes[0] })],
    ] as const) {
      const { jwt } = await doors.enter(credential);
      expect(decodeJwt(jwt)).toMatchObject({ scope: 'requiresAdditionalAuth', amr });
      const { status, body } = await doors.giveFactor(name, await given(), jwt);
      expect(status).toBe(200);
      expect(decodeJwt(body.jwt)).toMatchObject({ scope: 'user:basic', amr: [...amr, name] });
      expect(decodeJwt(body.jwt)['auth_time']).toBe(decodeJwt(jwt)['auth_time']);
    }
  });
});

describe('the scopes that a proof is to be good for', () => {
  const SCOPES: ElevatedScope[] = ['credential:link', 'user:delete'];
  const stepUp = () => doors.test.app.get(StepUp, { strict: false });
  const isGood = async ({ user, elevatedAccessToken }: DoorAnswer, scope: ElevatedScope): Promise<boolean> => {
    const caller = { userId: user.id, sessionId: user.sessionId };
    return stepUp()
      .assertFresh(world.environmentId, caller, scope, elevatedAccessToken ?? null)
      .then(
        () => true,
        () => false,
      );
  };
  /** Whether the answer is good for what was asked for, and for nothing else. */
  const expectProof = async (answer: DoorAnswer): Promise<void> => {
    const { exp, auth_time: at } = decodeJwt(answer.elevatedAccessToken!) as { exp: number; auth_time: number };
    expect(exp - at).toBe(300);
    const scopes = [...SCOPES, 'wallet:export', 'credential:unlink'] as const;
    expect(await Promise.all(scopes.map((scope) => isGood(answer, scope)))).toEqual([true, true, false, false]);
  };

  const SIGN_INS: Record<string, () => Credential | Promise<Credential>> = {
    signInWithEmailVerification: () => doors.email(),
    signInWithSmsVerification: () => doors.sms(),
    oauthSignIn: () => doors.oauth(),
    signinWithPasskey: () => doors.passkey(),
    verify: () => doors.wallet(),
    walletsSignin: () => doors.wallet(newKey(), '/wallets/signin'),
  };
  const PROVING = new Set([
    'verifyEmailVerification',
    'verifySmsVerification',
    'oauthVerify',
    'walletsVerify',
    'verifyLink',
  ]);
  const VERIFICATIONS = LINKS.filter(([id]) => PROVING.has(id));
  /** Somebody who has a first factor behind them, and gives the second one. */
  const FACTORS: Record<string, () => Promise<(more: object) => Promise<Answer<DoorAnswer>>>> = {
    authMfaTotpDevice: async () => {
      const email = doors.email();
      const { code } = await steadyDevice(world, (await doors.enter(email)).jwt);
      const { jwt } = await doors.enter(email);
      return async (more) => doors.giveFactor('totp', { code: await code(), ...more }, jwt);
    },
    authenticateMfaPasskeyDevice: async () => {
      const email = doors.email();
      const registered = await doors.site.add((await doors.enter(email)).jwt);
      const { jwt } = await doors.enter(email);
      return async (more) => (await doors.site.give(registered, jwt, more)) as unknown as Answer<DoorAnswer>;
    },
    authenticateMfaEmail: async () => {
      const { wallet, address } = await doors.withAddress();
      const { jwt } = await doors.enter(wallet);
      return async (more) => doors.giveFactor('email', { ...(await doors.mailed(address)), ...more }, jwt);
    },
  };

  it('are asked for at the operations of the contract, each of which is looked at here', () => {
    const contract = readDocument(new URL('../contract/openapi.json', import.meta.url));
    const asks = (schema: JsonSchema): boolean => {
      const { properties = {}, allOf = [] } = resolveReference(contract, schema);
      return 'requestedScopes' in properties || allOf.some(asks);
    };
    const asking = listOperations(contract).flatMap(({ operationId, operation }) => {
      const body = operation.requestBody && resolveReference(contract, operation.requestBody);
      const schema = body?.content?.['application/json']?.schema;
      return schema && asks(schema) ? operationId : [];
    });
    expect(asking.length).toBeGreaterThan(10);
    const lookedAt = [...Object.keys(SIGN_INS), ...VERIFICATIONS.map(([id]) => id), ...Object.keys(FACTORS)];
    expect([...lookedAt, 'authMfaRecovery', 'verifyTransfer'].toSorted()).toEqual(asking.toSorted());
  });

  it.each(Object.entries(SIGN_INS))('are what the proof of %s is good for', async (_, make) => {
    const credential = await make();
    expect((await credential.signIn({ requestedScopes: ['wallet:everything'] })).status).toBe(400);
    await expectProof(await doors.enter(credential, { requestedScopes: SCOPES }));
    for (const more of [{}, { requestedScopes: [] }])
      expect(await doors.enter(credential, more)).not.toHaveProperty('elevatedAccessToken');
  });

  it.each(VERIFICATIONS)(
    'are what the proof of %s is good for, by a credential that the session began with',
    async (_, make) => {
      const credential = make();
      const { jwt, user } = await doors.enter(credential);
      expect((await credential.link(jwt, { requestedScopes: ['wallet:everything'] })).status).toBe(400);
      const { status, body } = await credential.link(jwt, { requestedScopes: SCOPES });
      expect([status, body.user.id, body.user.sessionId]).toEqual([200, user.id, user.sessionId]);
      await expectProof(body);
      expect((await credential.link(jwt)).body).not.toHaveProperty('elevatedAccessToken');
      // Whoever holds a stolen session has credentials too.
      expect(outcome(await make().link(jwt, { requestedScopes: SCOPES }))).toEqual(REFUSED);
      expect((await accounts.user(user.id)).verifiedCredentials).toHaveLength(1);
    },
  );

  it.each(Object.entries(FACTORS))('are what the factor of %s is good for', async (_, prepare) => {
    const give = await prepare();
    expect((await give({ requestedScopes: ['wallet:everything'] })).status).toBe(400);
    const { status, body } = await give({ requestedScopes: SCOPES });
    expect(status).toBe(200);
    await expectProof(body);
    const again = await give({});
    expect([again.status, 'elevatedAccessToken' in again.body]).toEqual([200, false]);
  });

  it('are nothing for a recovery code, which lets its person in all the same', async () => {
    const email = doors.email();
    const { jwt: first } = await doors.enter(email);
    await steadyDevice(world, first);
    const { body: codes } = await world.anonymous.get<{ recoveryCodes: string[] }>(world.sdk('/users/mfa/recovery'), {
      token: first,
      expect: 200,
    });
    const { jwt } = await doors.enter(email);
    const { status, body } = await doors.giveFactor(
      'recovery',
      { code: codes.recoveryCodes[0], requestedScopes: SCOPES },
      jwt,
    );
    expect([status, decodeJwt(body.jwt)['scope']]).toEqual([200, 'user:basic']);
    expect(body).not.toHaveProperty('elevatedAccessToken');
  });

  it('are nothing for a first factor of somebody who owes the second one', async () => {
    const email = doors.email();
    await steadyDevice(world, (await doors.enter(email)).jwt);
    const partial = await doors.enter(email, { requestedScopes: SCOPES });
    expect(decodeJwt(partial.jwt)['scope']).toBe('requiresAdditionalAuth');
    expect(partial).not.toHaveProperty('elevatedAccessToken');
  });

  it('are refused for a wallet that comes from another account, which then stays where it is', async () => {
    const [key, ada] = [newKey(), await world.signIn(newEmail())];
    const wallet = doors.wallet(key, '/verify', '/verify/transfer');
    const eve = await doors.enter(wallet);
    expect((await doors.email().link(eve.jwt)).status).toBe(200);
    expect((await wallet.link(ada.jwt, { requestedScopes: ['wallet:everything'] })).status).toBe(400);
    expect(outcome(await wallet.link(ada.jwt, { requestedScopes: SCOPES }))).toEqual(REFUSED);
    expect((await doors.enter(wallet)).user.id).toBe(eve.user.id);
    const moved = await wallet.link(ada.jwt, { requestedScopes: [] });
    expect([moved.status, moved.body.user.id]).toEqual([200, ada.userId]);
    expect(moved.body).not.toHaveProperty('elevatedAccessToken');
    // The session is a new one, and nobody has proven anything anew.
    const { amr, auth_time: at } = decodeJwt(ada.jwt);
    expect(decodeJwt(moved.body.jwt)).toMatchObject({ amr, auth_time: at });
  });
});

describe('a stolen session', () => {
  it.each(LINKS)(
    'gives nobody a way in that lasts by %s; its person adds one with a proof, is told, and gives it up with another',
    async (_, make, [added, removed]) => {
      const ada = await world.signIn(newEmail());
      const elsewhere = await world.signIn(ada.email);
      await accounts.age(ada);
      const refused = await make().link(ada.jwt);
      expect(outcome(refused)).toEqual(REFUSED);
      expect((await accounts.user(ada.userId)).verifiedCredentials).toHaveLength(1);
      expect([accounts.mailsTo(ada.email), await accounts.isLive(elsewhere.jwt)]).toEqual([[], true]);

      const told = async () =>
        (await eventsOf(doors.test, world.environmentId)).flatMap(({ name, resourceId, data }) =>
          [resourceId, data['userId']].includes(ada.userId) ? name : [],
        );
      const before = await told();
      const proof = await accounts.verifyEmail(ada.jwt, ada.email, ['credential:link']);
      const fresh = { 'x-elevated-access-token': proof.body.elevatedAccessToken! };
      const linked = await make().link(ada.jwt, {}, fresh);
      expect([linked.status, linked.body.user.id]).toEqual([200, ada.userId]);
      expect((await accounts.user(ada.userId)).verifiedCredentials).toHaveLength(2);
      expect(accounts.mailsTo(ada.email)).toEqual([expect.stringContaining('A sign-in method was added')]);
      expect(await Promise.all([ada.jwt, elsewhere.jwt].map((jwt) => accounts.isLive(jwt)))).toEqual([true, false]);
      expect((await told()).slice(before.length)).toContain(added);

      const [, second] = (await accounts.user(ada.userId)).verifiedCredentials;
      const unlink = (elevated?: string) =>
        accounts.post('/verify/unlink', ada.jwt, { verifiedCredentialId: second!.id }, elevated);
      // A proof for adding is none for taking away.
      expect((await unlink(proof.body.elevatedAccessToken)).status).toBe(403);
      const another = await accounts.verifyEmail(ada.jwt, ada.email, ['credential:unlink']);
      const known = (await told()).length;
      expect((await unlink(another.body.elevatedAccessToken)).status).toBe(200);
      expect((await told()).slice(known)).toContain(removed);
      expect(accounts.mailsTo(ada.email)[0]).toContain('A sign-in method was removed');
    },
  );
});

describe('an offer to make two accounts one', () => {
  it('is made for a login of the last five minutes, and for no older one, which stays unused', async () => {
    const [ada, eve] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
    const login = newLogin();
    expect((await doors.telegram(login.id).link(eve.jwt)).status).toBe(200);

    const kept = await doors.keptTelegram(login.id);
    const aged = (minutes: number): Promise<object[]> =>
      rowsOf(
        doors.test,
        'UPDATE telegram_logins SET signed_at = now() - make_interval(mins => $1) WHERE used_at IS NULL',
        [minutes],
      );
    const offers = () =>
      rowsOf(doors.test, 'SELECT 1 FROM pending_merges WHERE environment_id = $1 AND session_id = $2', [
        world.environmentId,
        ada.sessionId,
      ]);
    await aged(6);
    expect(outcome(await kept(ada.jwt))).toEqual(REFUSED);
    await aged(20);
    expect(outcome(await kept(ada.jwt))).toEqual(REFUSED);
    expect(await offers()).toEqual([]);
    await aged(4);
    expect(outcome(await kept(ada.jwt))).toEqual([422, 'merge_accounts_confirmation']);
    expect(await offers()).toHaveLength(1);
  });
});
