import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { decodeJwt } from 'jose';
import { usersUnlock } from '../../src/cli/users.commands.js';
import { DevInbox } from '../../src/providers/index.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { waitingForMe } from '../support/lock-waits.js';
import { withClient } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import {
  addDevice,
  allowSecondFactors,
  codeOf,
  refreshed,
  roomInStep,
  steadyDevice,
} from '../support/second-factor.js';
import { countStatements } from '../support/statements.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

interface Answer {
  jwt: string;
  mfaToken?: string;
  elevatedAccessToken?: string;
  code?: string;
}
interface Codes {
  count: number;
  recoveryCodes: string[];
}

let test: TestApp;
let world: World;
let user: SignedIn;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
  await allowSecondFactors(world);
});
afterAll(() => test.close());
beforeEach(async () => {
  await roomInStep();
  user = await world.signIn(newEmail());
});

const at = (rest: string) => world.sdk(`/users/mfa${rest}`);
const post = <T = Answer>(rest: string, body: unknown, token: string, expected?: number) =>
  world.anonymous.post<T>(at(rest), body, { token, expect: expected });
const give = (code: string, token: string, more: object = {}) => post('/auth/totp', { code, ...more }, token);
const codesOf = async (token: string): Promise<string[]> =>
  (await world.anonymous.get<Codes>(at('/recovery'), { token, expect: 200 })).body.recoveryCodes;
const isLive = async (token: string) => (await world.anonymous.get(world.sdk('/session'), { token })).status === 204;
const scopeOf = (token: string) => decodeJwt(token)['scope'];
const forgetSteps = (userId: string) =>
  rowsOf(
    test,
    'UPDATE mfa_devices SET last_step = 0, failures = 0, failures_in_row = 0, blocked_until = NULL WHERE user_id = $1',
    [userId],
  );
const retryAfter = ({ headers }: { headers: Headers }): number => Number(headers.get('retry-after'));
const statuses = async (calls: Promise<{ status: number }>[]) => (await Promise.all(calls)).map(({ status }) => status);

describe('a user with a device', () => {
  it('signs in with a code, which works once', async () => {
    const { secret } = await addDevice(world, user.jwt);
    const again = await world.signIn(user.email);
    expect(scopeOf(again.jwt)).toBe('requiresAdditionalAuth');
    expect(again.body.user['scope']).toBe('requiresAdditionalAuth');
    expect(await refreshed(world, again.jwt).then(scopeOf)).toBe('requiresAdditionalAuth');

    const third = await world.signIn(user.email);
    const code = codeOf(secret);
    const { status, body } = await give(code, third.jwt);
    expect(status).toBe(200);
    expect(decodeJwt(body.jwt)).toMatchObject({ scope: 'user:basic', amr: ['otp', 'totp'], sid: third.sessionId });
    // A code by mail and one of a device are of one class: the session is complete, and its level no other.
    expect(decodeJwt(body.jwt)['amr']).not.toContain('mfa');
    await world.anonymous.get(world.sdk('/users'), { token: body.jwt, expect: 200 });
    expect(await give(code, third.jwt)).toMatchObject({ status: 422, body: { code: 'mfa_invalid_code' } });
    expect(scopeOf(await refreshed(world, body.jwt))).toBe('user:basic');
  });

  it('may give a code of the previous or next time step, and none further away', async () => {
    const { secret } = await addDevice(world, user.jwt);
    for (const [steps, expected] of [
      [-3, 422],
      [3, 422],
      [-1, 200],
      [0, 200],
      [1, 200],
    ] as const) {
      if (steps === -1) {
        await forgetSteps(user.userId);
        await roomInStep();
      }
      expect([steps, (await give(codeOf(secret, steps), user.jwt)).status]).toEqual([steps, expected]);
    }
  });

  it('makes the session end an hour after its last refresh, and a day after the code', async () => {
    await world.api.put(world.path(''), { security: { jwtDuration: { amount: 7, unit: 'days' } } }, { expect: 200 });
    const { secret } = await addDevice(world, user.jwt);
    const { jwt, sessionId } = await world.signIn(user.email);
    const lasts = async (): Promise<number[]> => {
      const [row] = await rowsOf<{ session: string; token: string }>(
        test,
        `SELECT extract(epoch FROM expires_at - now()) AS session, extract(epoch FROM token_expires_at - now()) AS token
         FROM sessions WHERE id = $1`,
        [sessionId],
      );
      return [row!.session, row!.token].map((seconds) => Math.round(Number(seconds) / 3_600));
    };
    expect(await lasts()).toEqual([30 * 24, 7 * 24]);
    const given = await give(codeOf(secret), jwt);
    const { exp } = decodeJwt(given.body.jwt);
    expect(Math.round((exp! - Date.now() / 1_000) / 60)).toBe(60);
    expect(await lasts()).toEqual([1, 1]);
    const late = (text: string) => rowsOf(test, `UPDATE sessions SET ${text} WHERE id = $1`, [sessionId]);
    await late(`raised_at = raised_at - interval '23 hours 30 minutes', expires_at = now() + interval '1 minute'`);
    const next = await refreshed(world, given.body.jwt);
    const left = decodeJwt(next).exp! - Date.now() / 1_000;
    expect([left > 29 * 60, left <= 30 * 60]).toEqual([true, true]);
    // Nobody came for an hour: the token of before the code, which says that it lives for a week, opens nothing either.
    await late(`expires_at = now()`);
    for (const token of [next, jwt]) {
      const { status } = await world.anonymous.post(world.sdk('/refresh'), undefined, { token });
      expect(status).toBe(401);
    }
    await world.api.put(
      world.path(''),
      { security: { jwtDuration: { amount: 15, unit: 'minutes' } } },
      { expect: 200 },
    );
  });

  it('of 50 calls with one code, one succeeds', async () => {
    const { secret } = await addDevice(world, user.jwt);
    const code = codeOf(secret);
    const all = await statuses(Array.from({ length: 50 }, () => give(code, user.jwt)));
    expect(all.filter((status) => status === 200)).toHaveLength(1);
    expect(all.every((status) => [200, 422, 429].includes(status))).toBe(true);
  });

  it('does not use up a code given in a session that ends meanwhile', async () => {
    const { secret } = await addDevice(world, user.jwt);
    const [ending, other] = [await world.signIn(user.email), await world.signIn(user.email)];
    const code = codeOf(secret);
    const given = await withClient(test.databaseUrl, async (client) => {
      await client.query('BEGIN');
      await client.query('UPDATE sessions SET revoked_at = now() WHERE id = $1', [ending.sessionId]);
      const giving = give(code, ending.jwt);
      await eventually('the code waits for the session', async () => (await waitingForMe(client, 'sessions')) > 0);
      await client.query('COMMIT');
      return giving;
    });
    expect(given.status).toBe(401);
    expect((await give(code, other.jwt)).status).toBe(200);
  });

  it('waits 15 minutes after five wrong codes, for that factor alone', async () => {
    const { secret } = await addDevice(world, user.jwt);
    const token = await refreshed(world, user.jwt);
    const { body } = await world.anonymous.get<Codes>(at('/recovery'), { token, expect: 200 });
    const tries = await statuses(Array.from({ length: 50 }, () => give('abcdef', token)));
    expect(tries.filter((status) => status === 422)).toHaveLength(5);
    expect(tries.filter((status) => status === 429)).toHaveLength(45);
    const early = await give(codeOf(secret), token);
    expect(early).toMatchObject({ status: 429, body: { code: 'too_many_mfa_attempts' } });
    expect(retryAfter(early)).toBeGreaterThan(15 * 60 - 120);
    expect(retryAfter(early)).toBeLessThanOrEqual(15 * 60);
    // The first factor and the recovery codes are open.
    const again = await world.signIn(user.email);
    await post('/auth/recovery', { code: body.recoveryCodes[0] }, again.jwt, 200);
    await rowsOf(test, `UPDATE mfa_devices SET blocked_until = now() - interval '1 s' WHERE user_id = $1`, [
      user.userId,
    ]);
    expect((await give(codeOf(secret), token)).status).toBe(200);
  });

  it('waits twice as long after each five wrong codes, a day at most, and is never locked', async () => {
    const { secret } = await addDevice(world, user.jwt);
    const token = await refreshed(world, user.jwt);
    const { body } = await world.anonymous.get<Codes>(at('/recovery'), { token, expect: 200 });
    const set = (table: string, values: string) =>
      rowsOf(test, `UPDATE ${table} SET ${values} WHERE user_id = $1`, [user.userId]);
    const waitOf = async (table: string) => {
      const left = 'round(extract(epoch FROM blocked_until - now()) / 60)::int AS minutes';
      const rows = await rowsOf<{ minutes: number }>(test, `SELECT ${left} FROM ${table} WHERE user_id = $1`, [
        user.userId,
      ]);
      return rows[0]!.minutes;
    };
    for (const [table, attempt] of [
      ['mfa_devices', () => give('abcdef', token)],
      ['mfa_recovery_codes', () => post('/auth/recovery', { code: 'A'.repeat(24) }, token)],
    ] as const) {
      const waits: number[] = [];
      for (const before of [0, 5, 10, 95, 100, 5_000]) {
        // Four more of so many are what a fifth one is counted after.
        await set(table, `failures_in_row = ${before + 4}, failures = 4, blocked_until = NULL`);
        expect((await attempt()).status).toBe(422);
        const minutes = await waitOf(table);
        waits.push(minutes);
        const refused = await attempt();
        expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_mfa_attempts' } });
        expect(retryAfter(refused)).toBeGreaterThan(minutes * 60 - 120);
        expect(retryAfter(refused)).toBeLessThanOrEqual(minutes * 60 + 30);
      }
      expect([table, waits]).toEqual([table, [15, 30, 60, 1440, 1440, 1440]]);
    }
    // The waits are over, thousands of wrong codes or not; a right recovery code ends that of the device before its time.
    await set('mfa_recovery_codes', "blocked_until = now() - interval '1 s'");
    await post('/auth/recovery', { code: body.recoveryCodes[0] }, (await world.signIn(user.email)).jwt, 200);
    expect((await give(codeOf(secret), token)).status).toBe(200);
    await set('mfa_devices', 'last_step = 0, failures_in_row = 5000, failures = 5, blocked_until = now()');
    expect((await give(codeOf(secret), token)).status).toBe(200);
  });

  it('counts a code as wrong that another call uses while this one waits for the user', async () => {
    const { id, secret } = await addDevice(world, user.jwt);
    const token = await refreshed(world, user.jwt);
    const late = await withClient(test.databaseUrl, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [user.userId]);
      const given = give(codeOf(secret), token);
      await eventually('the call waits', async () => (await waitingForMe(client, 'users')) > 0);
      await client.query('UPDATE mfa_devices SET last_step = last_step + 2 WHERE id = $1', [id]);
      await client.query('COMMIT');
      return given;
    });
    expect(late).toMatchObject({ status: 422, body: { code: 'mfa_invalid_code' } });
    expect(await rowsOf(test, 'SELECT failures FROM mfa_devices WHERE id = $1', [id])).toEqual([{ failures: 1 }]);
  });

  it('does not wait after right codes that a rule refuses, which clear no wrong ones either', async () => {
    const strict = await World.create(test);
    await allowSecondFactors(strict);
    const person = await strict.signIn(newEmail());
    const { code } = await steadyDevice(strict, person.jwt);
    const token = await refreshed(strict, person.jwt);
    const path = strict.sdk('/users/mfa');
    const { body } = await strict.anonymous.get<Codes>(`${path}/recovery`, { token, expect: 200 });
    const recoveryCode = body.recoveryCodes[0]!;
    const list = { name: 'Guests', outcome: 'siteAccess' };
    const { id } = (await strict.api.post<{ id: string }>(strict.path('/allowlists'), list, { expect: 201 })).body;
    const turn = (how: string) => strict.api.put(`/allowlists/${id}/${how}`, undefined, { expect: 200 });
    for (const [kind, right, wrong] of [
      ['totp', code, 'abcdef'],
      ['recovery', () => recoveryCode, 'A'.repeat(24)],
    ] as const) {
      const enter = async (secret: string, more: object = {}) => {
        const url = `${path}/auth/${kind}`;
        const { status, body: said } = await strict.anonymous.post<Answer>(url, { code: secret, ...more }, { token });
        return [kind, status, said.code];
      };
      for (let n = 0; n < 3; n += 1) expect(await enter(wrong)).toEqual([kind, 422, 'mfa_invalid_code']);
      await turn('enable');
      for (let n = 0; n < 6; n += 1) expect(await enter(await right())).toEqual([kind, 403, 'access_denied']);
      await turn('disable');
      if (kind === 'totp') {
        // A device of this session is no fresh proof, which is no failure either.
        const fresh = { requestedScopes: ['credential:link'] };
        for (let n = 0; n < 6; n += 1)
          expect(await enter(await code(), fresh)).toEqual([kind, 403, 'fresh_proof_required']);
      }
      for (let n = 0; n < 2; n += 1) expect(await enter(wrong)).toEqual([kind, 422, 'mfa_invalid_code']);
      expect(await enter(await right())).toEqual([kind, 429, 'too_many_mfa_attempts']);
    }
  });

  it('can be unlocked by an operator, with the recovery codes, and without those of others', async () => {
    const { secret } = await addDevice(world, user.jwt);
    const token = await refreshed(world, user.jwt);
    const { body } = await world.anonymous.get<Codes>(at('/recovery'), { token, expect: 200 });
    const other = await world.signIn(newEmail());
    const theirs = await addDevice(world, other.jwt);
    const block = async (code: string, jwt: string) => {
      for (let n = 0; n < 5; n += 1) await give('abcdef', jwt);
      expect((await give(code, jwt)).status).toBe(429);
    };
    await block(codeOf(secret), token);
    await block(codeOf(theirs.secret), other.jwt);
    const [theirCode] = await codesOf(other.jwt);
    const recover = (code: string, jwt: string = token) => post('/auth/recovery', { code }, jwt);
    for (const jwt of [token, other.jwt]) for (let n = 0; n < 5; n += 1) await recover('A'.repeat(24), jwt);
    expect((await recover(body.recoveryCodes[0]!)).status).toBe(429);

    const said = jest.spyOn(console, 'log').mockReturnValue();
    const unlock = async (...words: string[]): Promise<string[]> => {
      said.mockClear();
      await usersUnlock(test.app, ['--environment', world.environmentId, ...words]);
      return said.mock.calls.map(([line]) => String(line));
    };
    try {
      expect(await unlock('--email', user.email)).toEqual([`${user.email}  unlocked`, 'second factors  unlocked: 2']);
      const given = await give(codeOf(secret), token);
      expect(given.status).toBe(200);
      expect((await recover(body.recoveryCodes[0]!, given.body.jwt)).status).toBe(200);
      expect((await give(codeOf(theirs.secret), other.jwt)).status).toBe(429);
      expect((await recover(theirCode!, other.jwt)).status).toBe(429);
      expect(await unlock('--user', user.userId)).toEqual(['second factors  no wrong codes: nothing to unlock']);
      expect(await unlock('--user', other.userId)).toEqual(['second factors  unlocked: 2']);
      expect((await give(codeOf(theirs.secret), other.jwt)).status).toBe(200);
      const nobody = newEmail();
      expect(await unlock('--email', nobody)).toEqual([
        expect.stringContaining('nothing to unlock'),
        'second factors  none: no such user here',
      ]);
      await expect(unlock('--email', nobody, '--user', user.userId)).rejects.toThrow('Name one of');
      await expect(unlock('--user', world.environmentId)).rejects.toThrow();
    } finally {
      said.mockRestore();
    }
  });

  it('is protected from strangers: no other user’s code, id or token works', async () => {
    const { id, secret } = await addDevice(world, user.jwt);
    const other = await world.signIn(newEmail());
    const theirs = await addDevice(world, other.jwt);
    expect((await give(codeOf(secret), other.jwt)).status).toBe(422);
    expect(await give(codeOf(theirs.secret), other.jwt, { id })).toMatchObject({
      body: { code: 'mfa_device_not_found' },
    });
    expect((await world.anonymous.get(at(`/${id}`), { token: other.jwt })).status).toBe(404);
  });
});

describe('registering a device', () => {
  it('is not possible with a first factor alone, once there is one', async () => {
    await addDevice(world, user.jwt);
    const thief = await world.signIn(user.email);
    const begun = await world.anonymous.get(at('/register/totp'), { token: thief.jwt });
    expect(begun).toMatchObject({ status: 403, body: { code: 'second_factor_required' } });
    for (const call of [
      world.anonymous.get(at('/recovery'), { token: thief.jwt }),
      post('/recovery', undefined, thief.jwt),
    ])
      expect([401, 403]).toContain((await call).status);
  });

  it('requires a fresh first factor if it is the first', async () => {
    await rowsOf(test, `UPDATE sessions SET created_at = now() - interval '6 min' WHERE id = $1`, [user.sessionId]);
    const begun = () => world.anonymous.get(at('/register/totp'), { token: user.jwt });
    expect(await begun()).toMatchObject({ status: 403, body: { code: 'fresh_proof_required' } });
  });

  it('requires a fresh proof for every other one too: a stolen session adds none', async () => {
    const device = await steadyDevice(world, user.jwt);
    const { jwt, sessionId } = await world.signIn(user.email);
    const token = (await give(await device.code(), jwt)).body.jwt;
    const path = at('/register/totp');
    const { body } = await world.anonymous.get<{ secret: string }>(path, { token, expect: 200 });
    await rowsOf(test, `UPDATE sessions SET created_at = now() - interval '6 min' WHERE id = $1`, [sessionId]);
    await rowsOf(test, `UPDATE mfa_devices SET verified_at = verified_at - interval '7 min' WHERE id = $1`, [
      device.id,
    ]);
    const verification = { type: 'totp', code: codeOf(body.secret) };
    const refused = { status: 403, body: { code: 'fresh_proof_required' } };
    expect(await world.anonymous.get(path, { token })).toMatchObject(refused);
    expect(await post('/register/totp', verification, token)).toMatchObject(refused);
    const proven = await give(await device.code(), token, { requestedScopes: ['credential:link'] });
    const headers = { 'x-elevated-access-token': proven.body.elevatedAccessToken! };
    await world.anonymous.post(path, verification, { token, headers, expect: 200 });
  });

  it('completes once, of 50 concurrent calls, and two concurrent sessions add one device', async () => {
    const other = await world.signIn(user.email);
    const path = at('/register/totp');
    await world.anonymous.get(path, { token: other.jwt, expect: 200 });
    const { body } = await world.anonymous.get<{ secret: string }>(path, { token: user.jwt, expect: 200 });
    const verification = { type: 'totp', code: codeOf(body.secret) };
    const tokens = Array.from({ length: 50 }, (_, index) => (index % 2 ? user.jwt : other.jwt));
    const all = await statuses(tokens.map((token) => post('/register/totp', verification, token)));
    expect(all.filter((status) => status === 200)).toHaveLength(1);
    const { body: list } = await world.anonymous.get<{ count: number }>(at(''), { token: user.jwt, expect: 200 });
    expect(list.count).toBe(1);
  });

  const begin = async (token: string, headers: Record<string, string> = {}) =>
    (await world.anonymous.get<{ id: string; secret: string }>(at('/register/totp'), { token, headers, expect: 200 }))
      .body;
  const age = (sessionId: string) =>
    rowsOf(test, `UPDATE sessions SET created_at = now() - interval '6 min' WHERE id = $1`, [sessionId]);

  it('may be finished by authenticating with it, once of 50 concurrent calls', async () => {
    const { id, secret } = await begin(user.jwt);
    expect(await give(codeOf(secret, 5), user.jwt, { id })).toMatchObject({
      status: 422,
      body: { code: 'mfa_invalid_code' },
    });
    expect(await give(codeOf(secret), user.jwt)).toMatchObject({ status: 422, body: { code: 'mfa_device_not_found' } });
    expect(await give(codeOf(secret), user.jwt, { id, requestedScopes: ['credential:link'] })).toMatchObject({
      status: 403,
      body: { code: 'fresh_proof_required' },
    });
    const calls = Array.from({ length: 50 }, () =>
      give(codeOf(secret), user.jwt, { id: id.toUpperCase(), createMfaToken: { singleUse: true } }),
    );
    const finished = (await Promise.all(calls)).filter(({ status }) => status === 200);
    expect(finished).toHaveLength(1);
    expect(finished[0]!.body.mfaToken).toEqual(expect.any(String));
    expect(decodeJwt(finished[0]!.body.jwt)).toMatchObject({ scope: 'user:basic', amr: ['otp', 'totp'] });
    const { body } = await world.anonymous.get<object>(at(`/${id}`), { token: user.jwt, expect: 200 });
    expect(body).toMatchObject({ verified: true, default: true });
    const added = `SELECT count(*)::int AS count FROM events WHERE name = 'mfaDevice.added' AND data->>'id' = $1`;
    expect(await rowsOf(test, added, [id])).toEqual([{ count: 1 }]);
  });

  it('is not finished that way with a first factor alone, once there is one, nor by anybody else', async () => {
    const device = await steadyDevice(world, user.jwt);
    const { jwt } = await world.signIn(user.email);
    const { id, secret } = await begin((await give(await device.code(), jwt)).body.jwt);
    const thief = await world.signIn(user.email);
    expect(await give(codeOf(secret), thief.jwt, { id })).toMatchObject({
      status: 403,
      body: { code: 'second_factor_required' },
    });
    const stranger = await world.signIn(newEmail());
    expect(await give(codeOf(secret), stranger.jwt, { id })).toMatchObject({
      status: 422,
      body: { code: 'mfa_device_not_found' },
    });
  });

  it('is finished that way with the proof it began with, for five minutes', async () => {
    const { id, secret } = await begin(user.jwt);
    await age(user.sessionId);
    const begunBefore = (minutes: number) =>
      rowsOf(test, `UPDATE mfa_devices SET created_at = now() - make_interval(mins => $2) WHERE id = $1`, [
        id,
        minutes,
      ]);
    await begunBefore(6);
    expect(await give(codeOf(secret), user.jwt, { id })).toMatchObject({
      status: 403,
      body: { code: 'fresh_proof_required' },
    });
    await begunBefore(4);
    expect(await give(codeOf(secret), user.jwt, { id })).toMatchObject({ status: 200 });
  });

  it('is part of a sign-in if everybody must have one', async () => {
    const strict = await World.create(test);
    await allowSecondFactors(strict, { required: true });
    const { jwt } = await strict.signIn(newEmail());
    expect(scopeOf(jwt)).toBe('requiresAdditionalAuth');
    expect((await strict.anonymous.get(strict.sdk('/users'), { token: jwt })).status).toBe(401);
    await addDevice(strict, jwt);
    expect(scopeOf(await refreshed(strict, jwt))).toBe('user:basic');
  });

  it('keeps the secret sealed, and shows it once', async () => {
    const { secret, id } = await addDevice(world, user.jwt);
    const rows = await rowsOf(test, 'SELECT row_to_json(d)::text AS text FROM mfa_devices d WHERE id = $1', [id]);
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(secret).toString('hex'));
    const { body } = await world.anonymous.get<object>(at(`/${id}`), { token: user.jwt, expect: 200 });
    expect(body).toMatchObject({ id, type: 'totp', verified: true, default: true });
    expect(JSON.stringify(body)).not.toContain(secret);
  });
});

describe('recovery codes', () => {
  it('are shown once, to one of 50 who ask', async () => {
    await addDevice(world, user.jwt);
    const calls = Array.from({ length: 50 }, () => world.anonymous.get<Codes>(at('/recovery'), { token: user.jwt }));
    const answers = (await Promise.all(calls)).map(({ body }) => body);
    expect(answers.map(({ count }) => count)).toEqual(answers.map(() => 10));
    expect(answers.filter(({ recoveryCodes }) => recoveryCodes.length === 10)).toHaveLength(1);
    const { body } = await world.anonymous.get<{ mfaBackupCodeAcknowledgement: string }>(world.sdk('/users'), {
      token: user.jwt,
      expect: 200,
    });
    expect(body.mfaBackupCodeAcknowledgement).toBe('pending');
  });

  it('are created only with a fresh proof: a stolen session gets none', async () => {
    const device = await steadyDevice(world, user.jwt);
    await rowsOf(test, `UPDATE sessions SET created_at = now() - interval '6 min' WHERE id = $1`, [user.sessionId]);
    await rowsOf(test, `UPDATE mfa_devices SET verified_at = verified_at - interval '7 min' WHERE id = $1`, [
      device.id,
    ]);
    const refused = { status: 403, body: { code: 'fresh_proof_required' } };
    expect(await world.anonymous.get(at('/recovery'), { token: user.jwt })).toMatchObject(refused);
    expect(await post('/recovery', undefined, user.jwt)).toMatchObject(refused);
    const proven = await give(await device.code(), user.jwt, { requestedScopes: ['credential:link'] });
    const headers = { 'x-elevated-access-token': proven.body.elevatedAccessToken! };
    const shown = { token: user.jwt, headers, expect: 200 };
    expect((await world.anonymous.get<Codes>(at('/recovery'), shown)).body.recoveryCodes).toHaveLength(10);
    expect((await world.anonymous.post<Codes>(at('/recovery'), undefined, shown)).body.recoveryCodes).toHaveLength(10);
  });

  it('work once each, of 50 concurrent calls, and are void when there are new ones', async () => {
    await addDevice(world, user.jwt);
    const { body } = await world.anonymous.get<Codes>(at('/recovery'), { token: user.jwt, expect: 200 });
    const [first, second] = body.recoveryCodes as [string, string];
    const { jwt } = await world.signIn(user.email);
    const all = await statuses(Array.from({ length: 50 }, () => post('/auth/recovery', { code: first }, jwt)));
    expect(all.filter((status) => status === 200)).toHaveLength(1);
    const fresh = await post<Codes>('/recovery', undefined, user.jwt, 200);
    expect(fresh.body).toMatchObject({ count: 10 });
    await rowsOf(test, 'UPDATE mfa_recovery_codes SET failures = 0, blocked_until = NULL WHERE user_id = $1', [
      user.userId,
    ]);
    expect(await post('/auth/recovery', { code: second }, jwt)).toMatchObject({ body: { code: 'mfa_invalid_code' } });
    const used = await post(
      '/auth/recovery',
      { code: fresh.body.recoveryCodes[9], requestedScopes: ['wallet:export'] },
      jwt,
    );
    expect(used.status).toBe(200);
    expect(used.body.elevatedAccessToken).toBeUndefined();
    expect(decodeJwt(used.body.jwt)['amr']).toEqual(['otp', 'recovery']);
    const told = await rowsOf<{ name: string }>(
      test,
      "SELECT name FROM events WHERE environment_id = $1 AND user_id = $2 AND name LIKE 'recoveryCode%' ORDER BY id",
      [world.environmentId, user.userId],
    );
    const [made, one] = ['recoveryCodes.replaced', 'recoveryCode.used'];
    expect(told.map(({ name }) => name)).toEqual([made, one, made, one]);
  });

  it('that are new have no wait, whatever was tried before', async () => {
    await addDevice(world, user.jwt);
    await codesOf(user.jwt);
    const recover = (code: string) => post('/auth/recovery', { code }, user.jwt);
    for (let n = 0; n < 5; n += 1) await recover('A'.repeat(24));
    expect((await recover('A'.repeat(24))).status).toBe(429);
    const { body } = await post<Codes>('/recovery', undefined, user.jwt, 200);
    expect((await recover(body.recoveryCodes[0]!)).status).toBe(200);
  });

  it('are not created for a session with one factor, such as when devices of the kind are disabled', async () => {
    const plain = await World.create(test);
    await allowSecondFactors(plain);
    const person = await plain.signIn(newEmail());
    await steadyDevice(plain, person.jwt);
    await allowSecondFactors(plain, { methods: ['passkey'] });
    const { jwt: token } = await plain.signIn(person.email);
    expect(scopeOf(token)).toBe('user:basic');
    const read = plain.sdk('/users/mfa/recovery');
    expect((await plain.anonymous.get<Codes>(read, { token, expect: 200 })).body).toEqual({
      count: 0,
      recoveryCodes: [],
    });
  });
});

/** What the user is to confirm about recovery codes, as the team reads it. */
async function toConfirm(userId: string): Promise<string | null> {
  interface Shown {
    user: { mfaBackupCodeAcknowledgement?: string };
  }
  const { body } = await world.api.get<Shown>(world.path(`/users/${userId}`), { expect: 200 });
  return body.user.mfaBackupCodeAcknowledgement ?? null;
}

describe('removing a device', () => {
  const remove = (id: string, token: string, mfaToken?: string) =>
    world.anonymous.delete(at(`/${id}`), { token, headers: mfaToken ? { 'x-mfa-auth-token': mfaToken } : {} });

  it('requires a single-use MFA token of the same session, and ends the others', async () => {
    const { id, secret } = await addDevice(world, user.jwt);
    const { body } = await give(codeOf(secret), user.jwt, { createMfaToken: { singleUse: true } });
    expect((await remove(id, user.jwt)).status).toBe(400);
    expect(await remove(id, user.jwt, 'wrong')).toMatchObject({ status: 401, body: { code: 'mfa_token_refused' } });
    const other = await world.signIn(user.email);
    await give(codeOf(secret, 1), other.jwt);
    const theirs = await refreshed(world, other.jwt);
    expect((await remove(id, theirs, body.mfaToken)).status).toBe(401);
    expect(await isLive(theirs)).toBe(true);
    const all = await statuses(Array.from({ length: 50 }, () => remove(id, user.jwt, body.mfaToken)));
    expect(all.filter((status) => status === 204)).toHaveLength(1);
    // Whoever has taken the device may have given its code elsewhere.
    expect([await isLive(theirs), await isLive(user.jwt)]).toEqual([false, true]);
    expect(scopeOf((await world.signIn(user.email)).jwt)).toBe('user:basic');
  });

  it('that is still being registered is told to nobody: it never was a second factor', async () => {
    const device = await addDevice(world, user.jwt);
    const begun = await world.anonymous.get<{ id: string }>(at('/register/totp'), { token: user.jwt, expect: 200 });
    const { body } = await give(codeOf(device.secret), user.jwt, { createMfaToken: { singleUse: true } });
    const other = await world.signIn(user.email);
    expect((await remove(begun.body.id, user.jwt, body.mfaToken)).status).toBe(204);
    expect((await world.anonymous.get(at(`/${begun.body.id}`), { token: user.jwt })).status).toBe(404);
    expect(await isLive(other.jwt)).toBe(true);
    const events = (await eventsOf(test, world.environmentId)).filter(({ userId }) => userId === user.userId);
    expect(events.map(({ name }) => name)).not.toContain('mfaDevice.removed');
    const subjects = test.app.get(DevInbox).entries.flatMap(({ to, subject }) => (to === user.email ? [subject] : []));
    expect(subjects.filter((subject) => /second factor was/.test(subject ?? ''))).toHaveLength(1);
  });

  it('takes the default one last', async () => {
    const first = await addDevice(world, user.jwt);
    const second = await addDevice(world, user.jwt);
    const createMfaToken = { singleUse: false };
    const { body } = await give(codeOf(first.secret), user.jwt, { createMfaToken });
    expect((await remove(first.id, user.jwt, body.mfaToken)).status).toBe(400);
    const put = (id: string, isDefault: boolean) =>
      world.anonymous.put(at(`/${id}`), { default: isDefault }, { token: user.jwt });
    expect((await put(first.id, false)).status).toBe(422);
    await Promise.all(Array.from({ length: 50 }, (_, index) => put(index % 2 ? first.id : second.id, true)));
    const rows = await rowsOf(test, 'SELECT id FROM mfa_devices WHERE user_id = $1 AND is_default', [user.userId]);
    expect(rows).toHaveLength(1);
    await put(second.id, true);
    expect((await remove(first.id, user.jwt, body.mfaToken)).status).toBe(204);
  });

  it('becomes the default with a call that has no body, as clients send it', async () => {
    await addDevice(world, user.jwt);
    const { id } = await addDevice(world, user.jwt);
    await world.anonymous.put(at(`/${id}`), undefined, { token: user.jwt, expect: 204 });
    const { body } = await world.anonymous.get<{ default: boolean }>(at(`/${id}`), { token: user.jwt, expect: 200 });
    expect(body.default).toBe(true);
  });

  it('leaves everybody else’s default unchanged when a user chooses another', async () => {
    const others = await world.signIn(newEmail());
    const theirs = await addDevice(world, others.jwt);
    await addDevice(world, user.jwt);
    const { id } = await addDevice(world, user.jwt);
    await world.anonymous.put(at(`/${id}`), { default: true }, { token: user.jwt, expect: 204 });
    const rows = await rowsOf(test, 'SELECT id FROM mfa_devices WHERE user_id = ANY ($1::uuid[]) AND is_default', [
      [user.userId, others.userId],
    ]);
    expect(rows.map((row) => (row as { id: string }).id).toSorted()).toEqual([theirs.id, id].toSorted());
  });

  it('voids the recovery codes with the last one, and not before', async () => {
    const devices = [await steadyDevice(world, user.jwt), await steadyDevice(world, user.jwt)] as const;
    const { body } = await world.anonymous.get<Codes>(at('/recovery'), { token: user.jwt, expect: 200 });
    const codesLeft = () => rowsOf(test, 'SELECT 1 FROM mfa_recovery_codes WHERE user_id = $1', [user.userId]);
    const [first, second] = devices;
    const createMfaToken = { singleUse: true };
    const given = await give(await second.code(), user.jwt, { id: second.id, createMfaToken });
    expect((await remove(second.id, user.jwt, given.body.mfaToken)).status).toBe(204);
    expect(await codesLeft()).toHaveLength(1);
    expect(await toConfirm(user.userId)).toBe('pending');
    // What is being registered is no device yet.
    await world.anonymous.get(at('/register/totp'), { token: user.jwt, expect: 200 });
    // Whoever has lost the device removes it with one of the codes.
    const recovered = await post('/auth/recovery', { code: body.recoveryCodes[9], createMfaToken }, user.jwt, 200);
    expect((await remove(first.id, user.jwt, recovered.body.mfaToken)).status).toBe(204);
    expect(await codesLeft()).toEqual([]);
    expect(await toConfirm(user.userId)).toBeNull();
    // Whoever registers another device finds none of the codes good.
    await steadyDevice(world, user.jwt);
    const again = await world.signIn(user.email);
    for (const code of body.recoveryCodes.slice(0, 2))
      expect(await post('/auth/recovery', { code }, again.jwt)).toMatchObject({ body: { code: 'mfa_invalid_code' } });
  });
});

describe('a device as fresh proof', () => {
  it('counts when it is older than the session, for that session', async () => {
    const { secret } = await addDevice(world, user.jwt);
    const wanted = { requestedScopes: ['credential:link'] };
    expect(await give(codeOf(secret), user.jwt, wanted)).toMatchObject({ body: { code: 'fresh_proof_required' } });
    const { jwt } = await world.signIn(user.email);
    const { body } = await give(codeOf(secret), jwt, wanted);
    expect(body.elevatedAccessToken).toEqual(expect.any(String));
  });
});

describe('settings', () => {
  it('that cannot be met are refused, and nothing is written', async () => {
    const { body } = await world.api.put<{ code: string }>(
      world.path(''),
      {
        security: {
          mfa: {
            methods: [
              { type: 'totp', enabled: false },
              { type: 'email', enabled: true },
            ],
          },
        },
      },
      { expect: 422 },
    );
    expect(body.code).toBe('setting_not_available');
  });

  it('that disable second factors require none', async () => {
    const other = await World.create(test);
    await allowSecondFactors(other);
    const { email, jwt } = await other.signIn(newEmail());
    await addDevice(other, jwt);
    await other.api.put(other.path(''), { security: { mfa: { enabled: false } } }, { expect: 200 });
    expect(scopeOf((await other.signIn(email)).jwt)).toBe('user:basic');
    expect((await other.anonymous.get(other.sdk('/users/mfa/register/totp'), { token: jwt })).status).toBe(422);
  });
});

describe('what is asked of whom', () => {
  it('costs no statement at a session check, nor where a user is read', async () => {
    const plain = await World.create(test);
    const other = await plain.signIn(newEmail());
    await addDevice(world, user.jwt);
    const again = await world.signIn(user.email);
    const [code] = await codesOf(user.jwt);
    const { jwt } = (await post('/auth/recovery', { code }, again.jwt, 200)).body;
    /** The least of several: what is remembered for a second is read again now and then. */
    const statementsOf = async (call: () => Promise<{ status: number }>): Promise<number> => {
      const counts: number[] = [];
      for (let time = 0; time < 5; time += 1) {
        const { result, statements } = await countStatements(call);
        expect(result.status).toBeLessThan(300);
        counts.push(statements.length);
      }
      return Math.min(...counts);
    };
    for (const [path, calls] of [
      ['/session', 'session check'],
      ['/users', 'get user'],
    ] as const) {
      const on = await statementsOf(() => world.anonymous.get(world.sdk(path), { token: jwt }));
      const off = await statementsOf(() => plain.anonymous.get(plain.sdk(path), { token: other.jwt }));
      expect([calls, on]).toEqual([calls, off]);
    }
    const on = await statementsOf(() => world.api.get(world.path(`/users/${user.userId}`)));
    const off = await statementsOf(() => plain.api.get(plain.path(`/users/${other.userId}`)));
    expect(on).toBe(off);
  });
});

describe('an administrator', () => {
  it.each([
    ['DELETE', ''],
    ['POST', '/reset'],
  ] as const)(
    'removes second factors (%s %s) and ends what they opened, recorded and notified',
    async (method, rest) => {
      await addDevice(world, user.jwt);
      const path = `/users/${user.userId}/mfa${rest}`;
      await (method === 'POST'
        ? world.api.post(path, undefined, { expect: 204 })
        : world.api.delete(path, { expect: 204 }));
      expect(await isLive(user.jwt)).toBe(false);
      expect(scopeOf((await world.signIn(user.email)).jwt)).toBe('user:basic');
      const audit = await rowsOf(test, `SELECT 1 FROM audit_records WHERE action = 'mfa.reset' AND resource_id = $1`, [
        user.userId,
      ]);
      expect(audit).toHaveLength(1);
      const mails = test.app
        .get(DevInbox)
        .entries.filter(({ to, subject }) => to === user.email && /removed/.test(subject ?? ''));
      expect(mails).toHaveLength(1);
    },
  );

  it('tells nobody that a factor was removed who had only begun to register one', async () => {
    const begun = await world.signIn(newEmail());
    await world.anonymous.get(at('/register/totp'), { token: begun.jwt, expect: 200 });
    await world.api.delete(`/users/${begun.userId}/mfa`, { expect: 204 });
    const mails = test.app.get(DevInbox).entries.filter(({ to }) => to === begun.email);
    expect(mails.filter(({ subject }) => /removed/.test(subject ?? ''))).toEqual([]);
  });

  it('leaves no codes to be confirmed that were not kept safe yet', async () => {
    const person = await world.signIn(newEmail());
    await steadyDevice(world, person.jwt);
    await world.anonymous.get(at('/recovery'), { token: person.jwt, expect: 200 });
    expect(await toConfirm(person.userId)).toBe('pending');
    await world.api.delete(`/users/${person.userId}/mfa`, { expect: 204 });
    expect(await toConfirm(person.userId)).toBeNull();
  });

  it('clears only by a reset whether codes were kept safe, and leaves none of them either way', async () => {
    for (const [method, left] of [
      ['DELETE', 'complete'],
      ['POST', null],
    ] as const) {
      const person = await world.signIn(newEmail());
      const device = await steadyDevice(world, person.jwt);
      const createMfaToken = { singleUse: false };
      expect((await give(await device.code(), person.jwt, { createMfaToken })).body.mfaToken).toBeDefined();
      await codesOf(person.jwt);
      const body = { mfaBackupCodeAcknowledgement: 'complete' };
      await world.anonymous.put(world.sdk('/users'), body, { token: person.jwt, expect: 200 });
      const path = `/users/${person.userId}/mfa`;
      await (method === 'POST'
        ? world.api.post(`${path}/reset`, undefined, { expect: 204 })
        : world.api.delete(path, { expect: 204 }));
      const [row] = await rowsOf<{ acknowledged: string | null; codes: number; devices: number; tokens: number }>(
        test,
        `SELECT u.mfa_backup_code_acknowledgement AS acknowledged,
           (SELECT count(*)::int FROM mfa_recovery_codes c WHERE c.user_id = u.id) AS codes,
           (SELECT count(*)::int FROM mfa_devices d WHERE d.user_id = u.id) AS devices,
           (SELECT count(*)::int FROM mfa_tokens t WHERE t.user_id = u.id) AS tokens
         FROM users u WHERE u.environment_id = $1 AND u.id = $2`,
        [world.environmentId, person.userId],
      );
      expect([method, row]).toEqual([method, { acknowledged: left, codes: 0, devices: 0, tokens: 0 }]);
    }
  });
});
