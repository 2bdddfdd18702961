import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { GUARDED_ACTIONS } from '../../src/auth/index.js';
import { UnitOfWork } from '../../src/database/index.js';
import { EnrolmentRight } from '../../src/identity/mfa/enrolment-right.js';
import type { MfaMethod } from '../../src/environments/index.js';
import { Authenticator } from '../support/authenticator.js';
import { listOperations } from '../support/contract/openapi-document.js';
import { Doors } from '../support/doors.js';
import { FactorSite } from '../support/factor-site.js';
import { rowsOf } from '../support/rows.js';
import { allowSecondFactors, refreshed, steadyDevice } from '../support/second-factor.js';
import { apiDocument } from '../support/surface/operations.js';
import { RawClient } from '../support/surface/raw-client.js';
import { newEmail, World } from '../support/world.js';

let doors: Doors;
let world: World;

beforeAll(async () => {
  doors = await Doors.open();
  ({ world } = doors);
});
afterAll(() => doors?.close());

describe('a second factor for an action', () => {
  const guarded = listOperations(apiDocument).flatMap(({ operationId, method, path, operation }) => {
    const action = operation['x-mfa-action'];
    return action ? [[operationId, action, method.toUpperCase(), path] as const] : [];
  });
  let acting: World;
  let raw: RawClient;

  beforeAll(async () => {
    acting = await World.create(doors.test);
    await allowSecondFactors(acting, { methods: ['totp'], actions: GUARDED_ACTIONS });
    raw = new RawClient(doors.test.url);
  });
  afterAll(() => raw.close());

  const somebody = async () => {
    const { jwt, email, userId } = await acting.signIn(newEmail());
    return { jwt, email, userId, ...(await steadyDevice(acting, jwt)) };
  };
  const tokenOf = async (code: string, token: string, singleUse: boolean): Promise<string> => {
    const answer = await acting.anonymous.post<{ mfaToken: string }>(
      acting.sdk('/users/mfa/auth/totp'),
      { code, createMfaToken: { singleUse } },
      { token, expect: 200 },
    );
    return answer.body.mfaToken;
  };
  /** Whether the factor let a call through. It names no record that there is, so it does nothing then. */
  const passes = async (method: string, path: string, token: string, mfaToken: string | null): Promise<boolean> => {
    const address = path
      .replace('{environmentId}', acting.environmentId)
      .replaceAll(/\{\w+\}/g, () => crypto.randomUUID());
    const headers: Record<string, string> = mfaToken === null ? {} : { 'x-mfa-auth-token': mfaToken };
    const { status, body } = await raw.send({ method, path: address, token, headers, body: '{}' });
    const { code, error } = body as { code?: string; error?: { code?: string } };
    if ((code ?? error?.code) === 'mfa_token_required') return false;
    expect([200, 400, 404, 422]).toContain(status);
    return true;
  };

  it('is required by these operations', () => {
    expect(Object.fromEntries(guarded)).toEqual({
      updateSelf: 'user.update',
      claimEmbeddedWallet: 'wallet.waas.refresh',
      deliverDelegatedShare: 'wallet.waas.reshare',
      exportPrivateKey: 'wallet.waas.export',
      refreshKeyShares: 'wallet.waas.refresh',
      reshare: 'wallet.waas.reshare',
      signMessage: 'wallet.waas.sign',
      signWithEmbeddedWallet: 'wallet.waas.sign',
      updateWaasWalletSettings: 'wallet.waas.reshare',
      upgradeEmbeddedWalletToV2: 'wallet.waas.reshare',
    });
    expect(new Set(guarded.map(([, action]) => action))).toEqual(new Set(GUARDED_ACTIONS));
  });

  it.each(guarded)(
    'is required by %s, for %s: valid once of 50 concurrent calls, for one user in one session, for five minutes',
    async (_, action, method, path) => {
      const [ada, eve] = [await somebody(), await somebody()];
      for (const none of [null, '', 'wrong', await tokenOf(await eve.code(), eve.jwt, false)])
        expect([none, await passes(method, path, ada.jwt, none)]).toEqual([none, false]);
      const once = await tokenOf(await ada.code(), ada.jwt, true);
      const all = await Promise.all(Array.from({ length: 50 }, () => passes(method, path, ada.jwt, once)));
      expect(all.filter(Boolean)).toHaveLength(1);

      const several = await tokenOf(await ada.code(), ada.jwt, false);
      for (let use = 0; use < 2; use += 1) expect(await passes(method, path, ada.jwt, several)).toBe(true);
      const [, , otherMethod, otherPath] = guarded.find(([, other]) => other !== action)!;
      expect(await passes(otherMethod, otherPath, ada.jwt, several)).toBe(false);
      const { jwt: again } = await acting.signIn(ada.email);
      await tokenOf(await ada.code(), again, true);
      expect(await passes(method, path, await refreshed(acting, again), several)).toBe(false);

      const [left] = await rowsOf<{ seconds: number }>(
        doors.test,
        `SELECT max(extract(epoch FROM expires_at - now()))::float AS seconds FROM mfa_tokens
         WHERE environment_id = $1 AND user_id = $2`,
        [acting.environmentId, ada.userId],
      );
      expect(left!.seconds).toBeGreaterThan(0);
      expect(left!.seconds).toBeLessThanOrEqual(300);
      await rowsOf(doors.test, 'UPDATE mfa_tokens SET expires_at = now() WHERE user_id = $1', [ada.userId]);
      expect(await passes(method, path, ada.jwt, several)).toBe(false);
    },
  );
});

describe('a kind of factor', () => {
  type Give = (token: string) => Promise<{ status: number; body: { jwt: string; code?: string } }>;
  const scopeOf = (token: string): unknown => decodeJwt(token)['scope'];
  const KINDS: [string, (of: World, pages: FactorSite, token: string) => Promise<Give>][] = [
    [
      'totp',
      async (of, _, jwt) => {
        const { code } = await steadyDevice(of, jwt);
        return async (token) => of.anonymous.post(of.sdk('/users/mfa/auth/totp'), { code: await code() }, { token });
      },
    ],
    [
      'passkey',
      async (_, pages, jwt) => {
        const registered = await pages.add(jwt);
        return (token) => pages.give(registered, token);
      },
    ],
  ];

  it.each(KINDS)('that is disabled is neither required, accepted nor registered: %s', async (kind, register) => {
    const own = await World.create(doors.test);
    const pages = await FactorSite.register(own);
    await allowSecondFactors(own);
    const { jwt: first, email } = await own.signIn(newEmail());
    const give = await register(own, pages, first);
    expect(scopeOf((await own.signIn(email)).jwt)).toBe('requiresAdditionalAuth');

    await allowSecondFactors(own, { methods: ['totp', 'passkey', 'email'].filter((other) => other !== kind) });
    const { jwt } = await own.signIn(email);
    expect(scopeOf(jwt)).toBe('user:basic');
    const path = own.sdk(`/users/mfa/register/${kind}`);
    const begun = await own.anonymous.get<{ code: string }>(path, { token: jwt, headers: { origin: pages.origin } });
    for (const { status, body } of [await give(jwt), begun])
      expect([status, body.code]).toEqual([422, 'mfa_invalid_request']);

    await allowSecondFactors(own, { methods: [kind] });
    const partial = await own.signIn(email);
    expect(scopeOf(partial.jwt)).toBe('requiresAdditionalAuth');
    const given = await give(partial.jwt);
    expect([given.status, scopeOf(given.body.jwt)]).toEqual([200, 'user:basic']);
  });

  it('that is disabled is not accepted: email', async () => {
    const { wallet, address } = await doors.withAddress();
    const { jwt } = await doors.enter(wallet);
    const give = async () => {
      const { status, body } = await doors.giveFactor('email', await doors.mailed(address), jwt);
      return [status, body.code];
    };
    await allowSecondFactors(world, { methods: ['totp', 'passkey'] });
    expect(await give()).toEqual([422, 'mfa_invalid_request']);
    await allowSecondFactors(world);
    expect(await give()).toEqual([200, undefined]);
  });

  it.each(KINDS)(
    'that is the only one and required leads a sign-in through its registration: %s',
    async (kind, register) => {
      const strict = await World.create(doors.test);
      const pages = await FactorSite.register(strict);
      await allowSecondFactors(strict, { required: true, methods: [kind] });
      const { jwt, email } = await strict.signIn(newEmail());
      expect(scopeOf(jwt)).toBe('requiresAdditionalAuth');
      expect((await strict.anonymous.get(strict.sdk('/users'), { token: jwt })).status).toBe(401);
      const give = await register(strict, pages, jwt);
      expect(scopeOf(await refreshed(strict, jwt))).toBe('user:basic');
      const again = await strict.signIn(email);
      const given = await give(again.jwt);
      expect([scopeOf(again.jwt), scopeOf(given.body.jwt)]).toEqual(['requiresAdditionalAuth', 'user:basic']);
    },
  );

  it('can be replaced by recovery codes if the settings allow it', async () => {
    const own = await World.create(doors.test);
    const path = own.sdk('/users/mfa/recovery');
    await allowSecondFactors(own, { allowBackupCodes: false });
    const { jwt, email } = await own.signIn(newEmail());
    await steadyDevice(own, jwt);
    const read = async () =>
      (await own.anonymous.get<{ count: number; recoveryCodes: string[] }>(path, { token: jwt, expect: 200 })).body;
    expect(await read()).toEqual({ count: 0, recoveryCodes: [] });
    expect((await own.anonymous.post(path, undefined, { token: jwt })).status).toBe(404);
    await allowSecondFactors(own);
    const [code] = (await read()).recoveryCodes;
    const { jwt: token } = await own.signIn(email);
    const recover = async () =>
      (await own.anonymous.post(own.sdk('/users/mfa/auth/recovery'), { code }, { token })).status;
    await allowSecondFactors(own, { allowBackupCodes: false });
    expect(await recover()).toBe(422);
    await allowSecondFactors(own);
    expect(await recover()).toBe(200);
  });
});

describe('a kind of factor that is switched off', () => {
  const scopeOf = (token: string): unknown => decodeJwt(token)['scope'];
  const REFUSED = { status: 422, code: 'mfa_invalid_request' };
  let strict: World;
  let pages: FactorSite;

  const allow = (...methods: string[]) => allowSecondFactors(strict, { required: true, methods });
  const outcomeOf = ({ status, body }: { status: number; body: { code?: string } }) => ({ status, code: body.code });
  const begin = async (token: string) => outcomeOf(await pages.begin(token));
  const tryToGive = async (path: string, code: string, token: string) =>
    outcomeOf(
      await strict.anonymous.post<{ code?: string }>(strict.sdk(`/users/mfa/auth/${path}`), { code }, { token }),
    );

  beforeAll(async () => {
    strict = await World.create(doors.test);
    pages = await FactorSite.register(strict);
  });

  /** Somebody whose only device shows codes. */
  const registered = async () => {
    await allow('totp');
    const { jwt, email, userId } = await strict.signIn(newEmail());
    return { email, userId, jwt, ...(await steadyDevice(strict, jwt)) };
  };

  it('locks nobody out: a user without a device of an enabled kind registers one with a fresh first factor', async () => {
    const ada = await registered();
    const token = await refreshed(strict, ada.jwt);
    const recovery = await strict.anonymous.get<{ recoveryCodes: string[] }>(strict.sdk('/users/mfa/recovery'), {
      token,
      expect: 200,
    });
    await allow('passkey');
    const { jwt, sessionId } = await strict.signIn(ada.email);
    expect(scopeOf(jwt)).toBe('requiresAdditionalAuth');
    expect(await tryToGive('totp', await ada.code(), jwt)).toEqual(REFUSED);
    expect(await tryToGive('recovery', recovery.body.recoveryCodes[0]!, jwt)).toEqual(REFUSED);

    const age = (interval: string) =>
      rowsOf(
        doors.test,
        `UPDATE sessions SET created_at = now() - $2::interval, authenticated_at = now() - $2::interval WHERE id = $1`,
        [sessionId, interval],
      );
    await age('6 minutes');
    expect(await begin(jwt)).toEqual({ status: 403, code: 'fresh_proof_required' });
    await age('0 minutes');
    const added = await pages.add(jwt);
    expect(scopeOf(added.jwt)).toBe('user:basic');

    const again = await strict.signIn(ada.email);
    expect(await begin(again.jwt)).toEqual({ status: 403, code: 'second_factor_required' });
    const given = await pages.give(added, again.jwt);
    expect([given.status, scopeOf(given.body.jwt)]).toEqual([200, 'user:basic']);
  });

  it('does not let a first factor register another device beside one of an enabled kind', async () => {
    const ada = await registered();
    await allow('totp', 'passkey');
    await pages.add(await refreshed(strict, ada.jwt));
    for (const methods of [['passkey'], ['totp', 'passkey']]) {
      await allow(...methods);
      const { jwt } = await strict.signIn(ada.email);
      expect(await begin(jwt)).toEqual({ status: 403, code: 'second_factor_required' });
    }
  });

  it('counts again once enabled, also for what was begun while it was disabled', async () => {
    const ada = await registered();
    await allow('passkey');
    const { jwt } = await strict.signIn(ada.email);
    const { status, body } = await pages.begin(jwt);
    expect(status).toBe(200);
    await allow('totp', 'passkey');
    expect(outcomeOf(await pages.finish(pages.answerTo(body, new Authenticator()), jwt))).toEqual({
      status: 403,
      code: 'second_factor_required',
    });
    expect(await begin(jwt)).toEqual({ status: 403, code: 'second_factor_required' });
  });

  it('does not count when a registration completes, but enabled kinds do', async () => {
    const { userId } = await registered();
    const { app } = doors.test;
    const add = (amr: string[], methods: MfaMethod[]) =>
      app
        .get(UnitOfWork)
        .run((tx) => app.get(EnrolmentRight).assertStill(strict.environmentId, userId, { amr, methods }, tx));
    await expect(add(['otp'], ['passkey'])).resolves.toBeUndefined();
    await expect(add(['otp'], ['passkey', 'totp'])).rejects.toMatchObject({ code: 'second_factor_required' });
    await expect(add(['otp', 'totp'], ['passkey', 'totp'])).resolves.toBeUndefined();
  });

  it('is not offered as a method, while its devices stay in the list', async () => {
    const ada = await registered();
    const token = await refreshed(strict, ada.jwt);
    await allow('totp', 'passkey');
    const { id } = await pages.add(token);
    const offered = async () => {
      const { body } = await strict.anonymous.get<{
        devices: { type: string }[];
        passkeys: { id: string }[];
        userHasVerifiedMfaMethods: boolean;
      }>(strict.sdk('/users/mfa/methods?verifiedOnly=false'), { token, expect: 200 });
      const types = body.devices.map(({ type }) => type).sort();
      return [types, body.passkeys.map((passkey) => passkey.id), body.userHasVerifiedMfaMethods];
    };
    expect(await offered()).toEqual([['passkey', 'totp'], [id], true]);
    await allow('totp');
    expect(await offered()).toEqual([['totp'], [], true]);
    await allow('passkey');
    expect(await offered()).toEqual([['passkey'], [id], true]);
    const kept = await strict.anonymous.get(strict.sdk('/users/mfa'), { token, expect: 200 });
    expect(kept.body).toMatchObject({ count: 2 });

    const bob = await registered();
    await allow('passkey');
    const { body } = await strict.anonymous.get(strict.sdk('/users/mfa/methods'), { token: bob.jwt, expect: 200 });
    expect(body).toEqual({ devices: [], passkeys: [], userHasVerifiedMfaMethods: false });
  });

  it('leaves its devices counted among a user’s five', async () => {
    const ada = await registered();
    await rowsOf(
      doors.test,
      `INSERT INTO mfa_devices (environment_id, id, user_id, type, sealed_secret, master_key_id, verified_at)
       SELECT environment_id, gen_random_uuid(), user_id, type, sealed_secret, master_key_id, verified_at
       FROM mfa_devices, generate_series(1, 4) WHERE user_id = $1`,
      [ada.userId],
    );
    await allow('passkey');
    const { jwt } = await strict.signIn(ada.email);
    expect(await begin(jwt)).toEqual(REFUSED);
  });
});
