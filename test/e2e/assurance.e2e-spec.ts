import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { PARTIAL_SCOPES } from '../../src/auth/index.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { rowsOf } from '../support/rows.js';
import { resign } from '../support/surface/callers.js';
import { operations } from '../support/surface/operations.js';
import { RawClient } from '../support/surface/raw-client.js';
import { Tenant } from '../support/surface/tenant.js';
import { validCall } from '../support/surface/valid-call.js';
import { newEmail, World } from '../support/world.js';

/** Which partial sessions reach an operation; all others are for complete ones alone. Reviewed by hand. */
const ADMITTED: Readonly<Record<string, readonly string[]>> = {
  sessionCheck: PARTIAL_SCOPES,
  refreshAuth: PARTIAL_SCOPES,
  revokeSession: PARTIAL_SCOPES,
  registerDevice: ['device:register'],
  getAuthenticatedUser: ['userDataForm'],
  updateSelf: ['userDataForm'],
  getUserFieldsCheck: ['userDataForm'],
  verifyEmailVerification: ['userDataForm'],
  getUserMfaDevices: ['requiresAdditionalAuth'],
  getUserMfaMethods: ['requiresAdditionalAuth'],
  getMfaDevice: ['requiresAdditionalAuth'],
  verifySmsVerification: ['userDataForm'],
  registerTotpMfaDevice: ['requiresAdditionalAuth'],
  registerTotpMfaDeviceVerify: ['requiresAdditionalAuth'],
  authMfaTotpDevice: ['requiresAdditionalAuth'],
  authMfaRecovery: ['requiresAdditionalAuth'],
  getPasskeyAuthenticationOptions: ['requiresAdditionalAuth'],
  registerPasskeyMfaDevice: ['requiresAdditionalAuth'],
  registerPasskeyMfaDeviceVerify: ['requiresAdditionalAuth'],
  authenticateMfaPasskeyDevice: ['requiresAdditionalAuth'],
  authenticateMfaEmail: ['requiresAdditionalAuth'],
};

let test: TestApp;
let tenant: Tenant;
let client: RawClient;

beforeAll(async () => {
  test = await sharedTestApp();
  tenant = await Tenant.create(test);
  client = new RawClient(test.url);
});
afterAll(async () => {
  await tenant.close();
  await test.close();
});

const forEndUsers = operations.filter(({ audience }) => audience === 'end-user');
const forMembers = operations.filter(({ audience }) => audience === 'dashboard');

describe('a partial session', () => {
  it('is checked with operations that exist', () => {
    const ids = forEndUsers.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(Object.keys(ADMITTED)));
    expect(forEndUsers.length).toBeGreaterThan(Object.keys(ADMITTED).length);
  });

  describe.each([...PARTIAL_SCOPES, 'vip', ''])('with the scope "%s"', (scope) => {
    it.each(forEndUsers.map((operation) => [operation.title, operation] as const))('calls %s', async (_, operation) => {
      const call = await validCall(tenant, operation);
      const token = await resign(tenant.world, call.token!, { scope });
      const { status, body } = await client.send({ ...call, token });
      if (ADMITTED[operation.id]?.includes(scope)) {
        expect([200, 204]).toContain(status);
      } else if (operation.statuses.includes(403)) {
        const { code, error } = body as { code?: string; error?: { code?: string } };
        expect([status, code ?? error?.code]).toEqual([403, 'session_incomplete']);
      } else {
        expect([operation.id, status]).toEqual([operation.id, 401]);
      }
    });
  });

  it('reaches nothing else: public operations need no session', () => {
    const open = operations.filter(({ audience }) => audience === 'public');
    expect(open.length + forEndUsers.length + forMembers.length).toBe(operations.length);
    expect(operations.length).toBeGreaterThan(300);
    expect(Object.keys(ADMITTED).length).toBeLessThan(forEndUsers.length / 4);
  });

  it.each(PARTIAL_SCOPES)('of the console with the scope "%s" calls no operation of members', async (scope) => {
    const { world } = tenant;
    const { consoleEnvironmentId } = world.ids;
    const { jwt } = await world.provenSignIn();
    const token = await resign(world, jwt, { scope }, consoleEnvironmentId);
    const answers = await Promise.all(
      forMembers.map(async (operation) => {
        const { id, method } = operation;
        const { status, body } = await client.send({ method, path: tenant.pathOf(operation), token });
        return [id, status, (body as { code?: string } | undefined)?.code];
      }),
    );
    expect(answers.length).toBeGreaterThan(100);
    const outcomes = forMembers.map(({ id }) => [id, 403, 'session_incomplete']);
    expect(answers).toEqual(outcomes);
    // The same calls with the token of the same session that is complete get past that.
    const [first] = forMembers.filter(({ id }) => id === 'getEnvironmentById');
    const { status } = await client.send({ method: 'GET', path: tenant.pathOf(first!), token: jwt });
    expect(status).toBe(200);
  });

  it('of the console is not a member', async () => {
    const { world } = tenant;
    const { consoleEnvironmentId } = world.ids;
    const { jwt } = await world.signIn(world.ownerEmail, { environmentId: consoleEnvironmentId });
    const read = (token: string) => world.anonymous.get(world.path('/users'), { token });
    expect((await read(jwt)).status).toBe(200);
    const partial = await resign(world, jwt, { scope: 'requiresAdditionalAuth' }, consoleEnvironmentId);
    expect(await read(partial)).toMatchObject({ status: 403, body: { code: 'session_incomplete' } });
  });
});

describe('a required field that is missing', () => {
  const field = { name: 'Colour', enabled: true, required: true, fieldType: 'text', position: 1 };

  it('makes sessions partial until it is filled in, with no other sign-in', async () => {
    const world = await World.create(test);
    const before = await world.signIn(newEmail());
    expect(decodeJwt(before.jwt)['scope']).toBe('user:basic');
    await world.api.post(world.path('/custom/fields'), field, { expect: 201 });

    const { jwt, body } = await world.signIn(newEmail());
    expect([decodeJwt(jwt)['scope'], body.user['scope']]).toEqual(['userDataForm', 'userDataForm']);
    const check = { scope: 'wallet:export' };
    const step = () => world.anonymous.post(world.sdk('/stepUp/check'), check, { token: jwt });
    expect((await step()).status).toBe(401);
    const filled = await world.anonymous.put<{ jwt: string; user: { missingFields?: object[] } }>(
      world.sdk('/users'),
      { metadata: { colour: 'red' } },
      { token: jwt, expect: 200 },
    );
    expect(filled.body.user).toHaveProperty('missingFields', []);
    expect(decodeJwt(filled.body.jwt)).toMatchObject({ scope: 'user:basic', missing_fields: [] });
    const token = filled.body.jwt;
    await world.anonymous.post(world.sdk('/stepUp/check'), check, { token, expect: 200 });

    // Whoever is in already is asked at the next refresh.
    const refreshed = await world.anonymous.post<{ jwt: string }>(world.sdk('/refresh'), undefined, {
      token: before.jwt,
      expect: 200,
    });
    expect(decodeJwt(refreshed.body.jwt)['scope']).toBe('userDataForm');
  });

  it('that is optional is not requested, unless onboarding does not skip optional fields', async () => {
    const world = await World.create(test);
    await world.api.post(world.path('/custom/fields'), { ...field, required: false }, { expect: 201 });
    const { body } = await world.signIn(newEmail());
    expect(body.user).toHaveProperty('missingFields', []);
    expect(body.user['scope']).toBe('user:basic');
    await rowsOf(
      test,
      `UPDATE environment_settings SET settings =
         jsonb_set(settings, '{general,skipOptionalKYCFieldDuringOnboarding}', 'false') WHERE environment_id = $1`,
      [world.environmentId],
    );
    const again = await world.signIn(newEmail());
    expect(again.body.user['missingFields']).toMatchObject([{ name: 'colour', required: false }]);
    expect(again.body.user['scope']).toBe('user:basic');
  });
});
