import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { StepUp, type ElevatedScope, type ProvenCaller } from '../../src/auth/index.js';
import { Clock } from '../../src/common/clock.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { allowSecondFactors } from '../support/second-factor.js';
import { addSite, keySignIn, newKey } from '../support/wallet-sign-in.js';
import { World, newEmail } from '../support/world.js';

interface Answer {
  jwt: string;
  user: { id: string; sessionId: string };
  elevatedAccessToken?: string | null;
  code?: string;
  error?: { code?: string };
}
interface Check {
  isRequired: boolean;
  credentials: { id: string; format: string; alias?: string }[];
  defaultCredentialId?: string;
}

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
  await addSite(world);
});
afterAll(() => test.close());

const prove = async (
  step: 'signin' | 'verify',
  email: string,
  requestedScopes: readonly ElevatedScope[],
  token?: string,
  environmentId?: string,
) => {
  const verificationUUID = await world.sendCode(email, environmentId);
  const body = { verificationUUID, verificationToken: world.code(email), requestedScopes };
  return world.anonymous.post<Answer>(world.sdk(`/emailVerifications/${step}`, environmentId), body, { token });
};

const callerOf = ({ user }: Answer): ProvenCaller => ({
  userId: user.id,
  sessionId: user.sessionId,
});
const assertFresh = (
  caller: ProvenCaller,
  scope: ElevatedScope,
  token: string | null,
  environmentId = world.environmentId,
): Promise<void> => test.app.get(StepUp, { strict: false }).assertFresh(environmentId, caller, scope, token);
const REFUSED = expect.objectContaining({ status: 403, code: 'fresh_proof_required' });

async function elevated(...scopes: ElevatedScope[]): Promise<{ answer: Answer; token: string; caller: ProvenCaller }> {
  const { body, status } = await prove('signin', newEmail(), scopes);
  expect(status).toBe(200);
  return { answer: body, token: body.elevatedAccessToken!, caller: callerOf(body) };
}

describe('a fresh proof', () => {
  it('is given at a sign-in for the scopes that were asked for, and for no others', async () => {
    const { token, caller } = await elevated('credential:link', 'user:delete');
    await expect(assertFresh(caller, 'credential:link', token)).resolves.toBeUndefined();
    await expect(assertFresh(caller, 'credential:link', token)).resolves.toBeUndefined();
    await expect(assertFresh(caller, 'user:delete', token)).resolves.toBeUndefined();
    await expect(assertFresh(caller, 'wallet:export', token)).rejects.toEqual(REFUSED);
    await expect(assertFresh(caller, 'credential:link', null)).rejects.toEqual(REFUSED);
    await expect(assertFresh(caller, 'credential:link', 'x.y.z')).rejects.toEqual(REFUSED);
  });

  it('is nobody else’s: another session, another user, another environment', async () => {
    const { token, caller } = await elevated('credential:link');
    const other = await elevated('credential:link');
    await expect(assertFresh(other.caller, 'credential:link', token)).rejects.toEqual(REFUSED);
    const { sessionId } = other.answer.user;
    await expect(assertFresh({ ...caller, sessionId }, 'credential:link', token)).rejects.toEqual(REFUSED);
    const { live } = world.ids.environments;
    await expect(assertFresh(caller, 'credential:link', token, live)).rejects.toEqual(REFUSED);
  });

  it('is not taken for a session, nor a session for one', async () => {
    const { token, answer, caller } = await elevated('credential:link');
    expect(decodeProtectedHeader(token).typ).toBe('elevated+jwt');
    expect((await world.anonymous.get(world.sdk('/session'), { token })).status).toBe(401);
    await expect(assertFresh(caller, 'credential:link', answer.jwt)).rejects.toEqual(REFUSED);
  });

  it('ends five minutes after the person acted, to the second', async () => {
    const { token, caller } = await elevated('credential:link');
    const { exp, iat } = decodeJwt(token);
    // A second may begin between the proof and its token.
    expect([299, 300]).toContain(exp! - iat!);
    const clock = test.app.get(Clock);
    try {
      clock.timestamp = () => (exp! - 1) * 1000;
      await expect(assertFresh(caller, 'credential:link', token)).resolves.toBeUndefined();
      clock.timestamp = () => exp! * 1000;
      await expect(assertFresh(caller, 'credential:link', token)).rejects.toEqual(REFUSED);
    } finally {
      Reflect.deleteProperty(clock, 'timestamp');
    }
  });

  it('for wallet:export is good once, however many use it at the same moment', async () => {
    const { token, caller } = await elevated('wallet:export', 'credential:link');
    const uses = Array.from({ length: 50 }, () =>
      assertFresh(caller, 'wallet:export', token).then(
        () => true,
        () => false,
      ),
    );
    expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);
    await expect(assertFresh(caller, 'wallet:export', token)).rejects.toEqual(REFUSED);
    await expect(assertFresh(caller, 'credential:link', token)).resolves.toBeUndefined();
  });

  it('is not answered where none is asked for', async () => {
    expect((await prove('signin', newEmail(), [])).body).not.toHaveProperty('elevatedAccessToken');
  });

  it('is not given while a step of the sign-in is outstanding', async () => {
    const strict = await World.create(test);
    await allowSecondFactors(strict, { required: true });
    const { body } = await prove('signin', newEmail(), ['credential:link'], undefined, strict.environmentId);
    expect(decodeJwt(body.jwt)['scope']).toBe('requiresAdditionalAuth');
    expect(body.elevatedAccessToken ?? null).toBeNull();
  });

  it('is given in a session by a credential that it began with, and changes nothing', async () => {
    const email = newEmail();
    const { jwt, body: before } = await world.signIn(email);
    const { status, body } = await prove('verify', email, ['credential:link'], jwt);
    expect(status).toBe(200);
    await expect(assertFresh(callerOf(body), 'credential:link', body.elevatedAccessToken!)).resolves.toBeUndefined();
    expect(body.user).toMatchObject({ id: before.user['id'], sessionId: before.user['sessionId'], email });
  });

  it('is not given by a new address: whoever holds a stolen session could prove their own', async () => {
    const { jwt } = await world.signIn(newEmail());
    const mine = newEmail();
    const refusedWith = ({ body }: { body: Answer }) => body.error?.code ?? body.code;
    const first = await prove('verify', mine, ['wallet:export'], jwt);
    expect([first.status, refusedWith(first)]).toEqual([403, 'fresh_proof_required']);
    expect((await prove('verify', mine, [], jwt)).status).toBe(200);
    const linked = await prove('verify', mine, ['wallet:export'], jwt);
    expect([linked.status, refusedWith(linked)]).toEqual([403, 'fresh_proof_required']);
  });
});

describe('checkStepUp', () => {
  const check = (jwt: string, scope: string, elevatedToken?: string) =>
    world.anonymous.post<Check>(
      world.sdk('/stepUp/check'),
      { scope },
      { token: jwt, ...(elevatedToken && { headers: { 'x-elevated-access-token': elevatedToken } }) },
    );

  it('names the credentials that can give the proof, and is content with one that was given', async () => {
    const { answer, token } = await elevated('credential:link');
    const before = await check(answer.jwt, 'credential:link');
    expect(before.status).toBe(200);
    const [credential] = before.body.credentials;
    expect(before.body).toEqual({
      isRequired: true,
      credentials: [{ id: credential!.id, format: 'email', alias: expect.stringContaining('@') }],
      defaultCredentialId: credential!.id,
    });
    expect((await check(answer.jwt, 'credential:link', token)).body.isRequired).toBe(false);
    expect((await check(answer.jwt, 'user:delete', token)).body.isRequired).toBe(true);
  });

  it('names no credential that was proven in this session, which gives no proof yet', async () => {
    const [email, added] = [newEmail(), newEmail()];
    const { jwt } = await world.signIn(email);
    expect((await prove('verify', added, [], jwt)).status).toBe(200);
    const named = async (token: string) =>
      (await check(token, 'credential:link')).body.credentials.map(({ alias }) => alias);
    expect(await named(jwt)).toEqual([email]);
    expect((await prove('verify', added, ['credential:link'], jwt)).status).toBe(403);
    const { jwt: later } = await world.signIn(email);
    expect(await named(later)).toEqual([email, added]);
    expect((await prove('verify', added, ['credential:link'], later)).status).toBe(200);
  });

  it('names no address that only a server calls verified, as long as nobody has proven it', async () => {
    const key = newKey();
    const email = newEmail();
    const wallet = {
      publicWalletAddress: key.address,
      chain: 'EVM',
      walletName: 'x',
      walletProvider: 'browserExtension',
    };
    const made = { email, emailVerifiedAt: new Date().toISOString(), wallets: [wallet] };
    await world.api.post(world.path('/users'), made, { expect: 201 });
    const { body } = await world.anonymous.post<Answer>(world.sdk('/verify'), await keySignIn(world, key), {
      expect: 200,
    });
    const formats = (await check(body.jwt, 'credential:link')).body.credentials.map(({ format }) => format);
    expect(formats).toEqual(['blockchain']);
    expect((await prove('verify', email, ['credential:link'], body.jwt)).status).toBe(403);
  });

  it('does not use up a proof that is good once, and wants another when it was used', async () => {
    const { answer, token, caller } = await elevated('wallet:export');
    expect((await check(answer.jwt, 'wallet:export', token)).body.isRequired).toBe(false);
    await expect(assertFresh(caller, 'wallet:export', token)).resolves.toBeUndefined();
    expect((await check(answer.jwt, 'wallet:export', token)).body.isRequired).toBe(true);
  });

  it('refuses scopes that do not exist', async () => {
    const { jwt } = await world.signIn(newEmail());
    expect((await check(jwt, 'wallet:everything')).status).toBe(400);
  });
});
