import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { DevInbox } from '../../src/providers/index.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { addDevice, allowSecondFactors, refreshed, roomInStep } from '../support/second-factor.js';
import { addSite, keySignIn } from '../support/wallet-sign-in.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

interface Registrations {
  count: number;
  deviceRegistrations: { id: string; isCurrentDevice: boolean; userAgent: string | null }[];
}

let test: TestApp;
let world: World;
let user: SignedIn;

const confirmNewDevices = (of: World, on: boolean) =>
  of.api.put(of.path(''), { security: { confirmNewDevices: on } }, { expect: 200 });
const scopeOf = (token: string) => decodeJwt(token)['scope'];
const mailsTo = (email: string) => test.app.get(DevInbox).entries.filter(({ to }) => to === email);
const tokenMails = (email: string) =>
  mailsTo(email).filter(({ subject }) => /^Confirm a new device/.test(subject ?? ''));
const enter = (sessionPublicKey?: string, email = user.email, headers: Record<string, string> = {}) =>
  world.signIn(email, { ...(sessionPublicKey && { sessionPublicKey }), headers });
const confirm = (jwt: string, token: string) =>
  world.anonymous.post<{ jwt: string; code?: string }>(world.sdk('/deviceRegistration'), undefined, {
    token: jwt,
    headers: { 'x-device-registration-token': token },
  });
const list = async (token: string) =>
  (await world.anonymous.get<Registrations>(world.sdk('/deviceRegistrations'), { token, expect: 200 })).body;
const isLive = async (token: string) => (await world.anonymous.get(world.sdk('/session'), { token })).status === 204;

/** A second device that was confirmed. */
async function confirmed(key: string): Promise<string> {
  const { jwt } = await enter(key);
  const { body } = await confirm(jwt, tokenMails(user.email)[0]!.code!);
  return body.jwt;
}

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
  await addSite(world);
  await confirmNewDevices(world, true);
});
afterAll(() => test.close());
beforeEach(async () => {
  user = await world.signIn(newEmail(), { sessionPublicKey: 'the first one' });
});

describe('a new device', () => {
  it('is not asked about at the very first sign-in, nor if it is known', async () => {
    expect(scopeOf(user.jwt)).toBe('user:basic');
    expect(await list(user.jwt)).toMatchObject({ count: 1, deviceRegistrations: [{ isCurrentDevice: true }] });
    expect(scopeOf((await enter('the first one')).jwt)).toBe('user:basic');
    expect(tokenMails(user.email)).toEqual([]);
  });

  it('has a partial session until the token from the mail is given in it', async () => {
    const { jwt } = await enter('another', user.email, { 'user-agent': 'Browser/7' });
    expect(scopeOf(jwt)).toBe('device:register');
    expect(await world.anonymous.get(world.sdk('/users'), { token: jwt })).toMatchObject({ status: 401 });
    const mails = tokenMails(user.email);
    expect(mails).toHaveLength(1);
    expect(mails[0]!.text).toContain('Browser/7');
    const { status, body } = await confirm(jwt, ` ${mails[0]!.code!.toLowerCase()} `);
    expect([status, scopeOf(body.jwt)]).toEqual([200, 'user:basic']);
    expect(scopeOf((await enter('another')).jwt)).toBe('user:basic');
    const { deviceRegistrations } = await list(body.jwt);
    expect(deviceRegistrations.map(({ isCurrentDevice }) => isCurrentDevice).toSorted()).toEqual([false, true]);
    const { id } = deviceRegistrations.find(({ isCurrentDevice }) => isCurrentDevice)!;
    expect((await eventsOf(test, world.environmentId, id)).map(({ name }) => name)).toEqual(['device.registered']);
    expect(mailsTo(user.email).map(({ subject }) => subject)).toContainEqual(
      expect.stringMatching(/^A new device was added/),
    );
    const stored = await rowsOf(test, 'SELECT d::text FROM device_confirmations d');
    expect(JSON.stringify(stored)).not.toContain(mails[0]!.code!);
  });

  it('is confirmed by no other token, in no other session, and once of 50 concurrent calls', async () => {
    const { jwt } = await enter('another');
    const token = tokenMails(user.email)[0]!.code!;
    const elsewhere = await enter('a third one');
    expect((await confirm(elsewhere.jwt, token)).body).toMatchObject({ code: 'device_token_invalid' });
    expect((await confirm(user.jwt, token)).body).toMatchObject({ code: 'device_token_invalid' });
    for (const wrong of ['wrong', token.slice(1), `${token}A`]) expect((await confirm(jwt, wrong)).status).toBe(422);
    expect((await confirm(jwt, 'x'.repeat(513))).status).toBe(400);
    const all = await Promise.all(Array.from({ length: 50 }, () => confirm(jwt, token)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(all.every(({ status }) => [200, 422, 429].includes(status))).toBe(true);
    expect((await list(user.jwt)).count).toBe(2);
  });

  it('is mailed one token at a time, and the next once that has expired', async () => {
    const { jwt, sessionId } = await enter('another');
    const again = await refreshed(world, jwt);
    expect([scopeOf(again), tokenMails(user.email).length]).toEqual(['device:register', 1]);
    const token = tokenMails(user.email)[0]!.code!;
    await rowsOf(test, 'UPDATE device_confirmations SET expires_at = now() WHERE session_id = $1', [sessionId]);
    expect((await confirm(again, token)).status).toBe(422);
    const third = await refreshed(world, again);
    expect(tokenMails(user.email)).toHaveLength(2);
    expect((await confirm(third, tokenMails(user.email)[0]!.code!)).status).toBe(200);
  });

  it('is a new one each time where the client names no key', async () => {
    const { jwt } = await enter();
    expect(scopeOf(jwt)).toBe('device:register');
    const { body } = await confirm(jwt, tokenMails(user.email)[0]!.code!);
    expect(scopeOf(await refreshed(world, body.jwt))).toBe('user:basic');
    expect(scopeOf((await enter()).jwt)).toBe('device:register');
  });

  it('is confirmed before a second factor, which is required next', async () => {
    const strict = await World.create(test);
    await allowSecondFactors(strict);
    await confirmNewDevices(strict, true);
    await roomInStep();
    const first = await strict.signIn(newEmail(), { sessionPublicKey: 'one' });
    await addDevice(strict, first.jwt);
    const { jwt } = await strict.signIn(first.email, { sessionPublicKey: 'two' });
    expect(scopeOf(jwt)).toBe('device:register');
    const { body } = await strict.anonymous.post<{ jwt: string }>(strict.sdk('/deviceRegistration'), undefined, {
      token: jwt,
      headers: { 'x-device-registration-token': tokenMails(first.email)[0]!.code! },
      expect: 200,
    });
    expect(scopeOf(body.jwt)).toBe('requiresAdditionalAuth');
  });

  it('is not asked about if the user cannot be reached, or the environment has disabled it', async () => {
    const { body } = await world.anonymous.post<{ jwt: string }>(world.sdk('/verify'), await keySignIn(world), {
      expect: 200,
    });
    expect(scopeOf(body.jwt)).toBe('user:basic');
    const other = await World.create(test);
    const { email } = await other.signIn(newEmail(), { sessionPublicKey: 'one' });
    expect(scopeOf((await other.signIn(email, { sessionPublicKey: 'two' })).jwt)).toBe('user:basic');
    expect(
      await rowsOf(test, 'SELECT 1 FROM device_registrations WHERE environment_id = $1', [other.environmentId]),
    ).toEqual([]);
  });
});

describe('a confirmed device', () => {
  const forget = (token: string, id = '') =>
    world.anonymous.delete<{ currentDeviceRevoked: boolean }>(world.sdk(`/deviceRegistrations${id && `/${id}`}`), {
      token,
    });

  it('is forgotten with its sessions, and asked about at the next sign-in', async () => {
    const other = await confirmed('another');
    const { deviceRegistrations } = await list(user.jwt);
    const { id } = deviceRegistrations.find(({ isCurrentDevice }) => !isCurrentDevice)!;
    expect((await forget(user.jwt, id)).body).toEqual({ currentDeviceRevoked: false });
    expect(await Promise.all([other, user.jwt].map(isLive))).toEqual([false, true]);
    expect((await forget(user.jwt, id)).status).toBe(404);
    expect(scopeOf((await enter('another')).jwt)).toBe('device:register');
    expect((await eventsOf(test, world.environmentId, id)).map(({ name }) => name)).toContain('device.removed');
  });

  it('may be the caller’s own, whose session continues until it is refreshed', async () => {
    const other = await confirmed('another');
    expect((await forget(other)).body).toEqual({ currentDeviceRevoked: true });
    expect(await Promise.all([other, user.jwt].map(isLive))).toEqual([true, false]);
    expect((await list(other)).count).toBe(0);
    expect(scopeOf(await refreshed(world, other))).toBe('device:register');
  });

  it('may be that of the very first sign-in: once forgotten it is asked about like any other', async () => {
    expect((await forget(user.jwt)).body).toEqual({ currentDeviceRevoked: true });
    const change = { firstName: 'Ada' };
    const changed = await world.anonymous.put<{ jwt: string }>(world.sdk('/users'), change, {
      token: user.jwt,
      expect: 200,
    });
    expect(scopeOf(changed.body.jwt)).toBe('device:register');
    const partial = await refreshed(world, user.jwt);
    expect(scopeOf(partial)).toBe('device:register');
    const known = () =>
      rowsOf<{ id: string }>(test, 'SELECT id FROM device_registrations WHERE user_id = $1', [user.userId]);
    expect(await known()).toEqual([]);
    const mails = tokenMails(user.email);
    expect(mails).toHaveLength(1);
    expect(scopeOf((await confirm(partial, mails[0]!.code!)).body.jwt)).toBe('user:basic');
    const [{ id }, ...others] = (await known()) as [{ id: string }, ...object[]];
    expect(others).toEqual([]);
    expect((await eventsOf(test, world.environmentId, id)).map(({ name }) => name)).toEqual(['device.registered']);
  });

  it('is forgotten once of 50 concurrent calls, and so are all of them', async () => {
    await confirmed('another');
    const { deviceRegistrations } = await list(user.jwt);
    const removedOf = async (id: string) =>
      (await eventsOf(test, world.environmentId, id)).filter(({ name }) => name === 'device.removed').length;
    const { id } = deviceRegistrations.find(({ isCurrentDevice }) => !isCurrentDevice)!;
    const one = await Promise.all(Array.from({ length: 50 }, () => forget(user.jwt, id)));
    expect(one.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(one.filter(({ status }) => status === 404)).toHaveLength(49);
    const others = [await confirmed('a third one'), await confirmed('a fourth one')];
    const left = (await list(user.jwt)).deviceRegistrations;
    expect(left).toHaveLength(3);
    const all = await Promise.all(Array.from({ length: 50 }, () => forget(user.jwt)));
    expect(all.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(all.filter(({ body }) => body.currentDeviceRevoked)).toHaveLength(1);
    expect((await list(user.jwt)).count).toBe(0);
    for (const device of [{ id }, ...left]) expect([device.id, await removedOf(device.id)]).toEqual([device.id, 1]);
    expect(await Promise.all([user.jwt, ...others].map(isLive))).toEqual([true, false, false]);
    for (const key of ['the first one', 'another', 'a third one'])
      expect([key, scopeOf((await enter(key)).jwt)]).toEqual([key, 'device:register']);
  });

  it('is its user’s alone', async () => {
    const [mine] = (await list(user.jwt)).deviceRegistrations;
    const stranger = await world.signIn(newEmail());
    expect((await forget(stranger.jwt, mine!.id)).status).toBe(404);
    expect((await forget(user.jwt, mine!.id)).body).toEqual({ currentDeviceRevoked: true });
  });

  it('is replaced by the newest beyond twenty', async () => {
    await rowsOf(
      test,
      `INSERT INTO device_registrations (environment_id, id, user_id, device_hash, created_at)
       SELECT $1, gen_random_uuid(), $2::uuid, sha256(n::text::bytea), now() - n * interval '1 d'
       FROM generate_series(1, 19) AS n`,
      [world.environmentId, user.userId],
    );
    await confirmed('another');
    const { count, deviceRegistrations } = await list(user.jwt);
    expect(count).toBe(20);
    expect(deviceRegistrations.some(({ isCurrentDevice }) => isCurrentDevice)).toBe(true);
  });
});
