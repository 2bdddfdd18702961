import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { freePort } from '../support/ports.js';
import { eventually } from '../support/receiver.js';
import { peerSettings } from '../support/suites/peers.js';
import { operations, type ApiOperation } from '../support/surface/operations.js';
import { RawClient, type RawRequest } from '../support/surface/raw-client.js';
import { Tenant } from '../support/surface/tenant.js';
import { validCall } from '../support/surface/valid-call.js';
import { newEmail, type World } from '../support/world.js';

const SITE_KEY = '1x00000000000000000000AA';

const takesToken = ({ body, schemas }: ApiOperation): boolean =>
  body !== null && schemas.placesOf(body).some(({ place }) => place.join('.') === 'captchaToken');

/** Whose body has a place for the token of a captcha, and who look at none. */
const NOT_ASKED: Readonly<Record<string, string>> = {
  telegramCheckAuth: 'tells what telegramSignIn would find; the sign-in asks',
  oauthResult: 'fetches what a sign-in came to that has begun; the sign-in asks',
  authenticateMfaPasskeyDevice: 'a step of somebody who has signed in',
  externalAuthVerify: 'is retired, whoever calls',
};
const asked = operations.filter((operation) => takesToken(operation) && !(operation.id in NOT_ASKED));

/** What opens a session to whoever proves who they are. */
const SIGN_INS = [
  'signInWithEmailVerification',
  'signInWithSmsVerification',
  'oauthSignIn',
  'externalAuthSignin',
  'frameappSignIn',
  'telegramSignIn',
  'signinWithPasskey',
  'verify',
  'walletsSignin',
] as const;

let test: TestApp;
let client: RawClient;

beforeAll(async () => {
  const { PROVIDER_ADDRESSES, ...settings } = await peerSettings();
  const nobody = { turnstile: { api: `http://127.0.0.1:${await freePort()}` } };
  const addresses = JSON.stringify({ ...(JSON.parse(PROVIDER_ADDRESSES!) as object), ...nobody });
  const env = { ROLE: 'api', EGRESS_ALLOW: '127.0.0.1', ...settings, PROVIDER_ADDRESSES: addresses };
  test = await startTestApp({ ownDatabase: true, env });
  client = new RawClient(test.url);
});
afterAll(async () => {
  client?.close();
  await test?.close();
});

/** Calls that succeed as long as the door is open: codes and sessions that they need are made by calls of their kind. */
async function callsOf(tenant: Tenant, ids: readonly string[]): Promise<Map<string, RawRequest>> {
  const calls = new Map<string, RawRequest>();
  for (const operation of operations.filter(({ id }) => ids.includes(id))) {
    calls.set(operation.id, await validCall(tenant, operation));
  }
  return calls;
}

async function answered(call: RawRequest, more: object = {}): Promise<unknown> {
  const body = JSON.stringify({ ...(JSON.parse(String(call.body)) as object), ...more });
  const { status, body: answer } = await client.send({ ...call, body });
  const { code, error } = answer as { code?: string; error?: { code?: string } };
  return [status, code ?? error?.code];
}

const emailOf = (world: World): Promise<{ status: number }> =>
  world.anonymous.post(world.sdk('/emailVerifications/create'), { email: newEmail() });

describe('the captcha of an environment whose vendor is out', () => {
  let tenant: Tenant;
  let calls: Map<string, RawRequest>;

  beforeAll(async () => {
    tenant = await Tenant.create(test);
    calls = await callsOf(
      tenant,
      asked.map(({ id }) => id),
    );
    const { world } = tenant;
    const captcha = { enabled: true, siteKey: SITE_KEY, secretKey: 'secret' };
    await world.owner.put(world.path(''), { security: { captcha } }, { expect: 200 });
    await eventually('it is asked for', async () => (await emailOf(world)).status === 422);
  }, 120_000);
  afterAll(() => tenant?.close());

  it('is asked for by every operation with a place for its token, but for those that are named', () => {
    const known = new Set(operations.filter(takesToken).map(({ id }) => id));
    expect(Object.keys(NOT_ASKED).filter((id) => !known.has(id))).toEqual([]);
    expect(asked.length).toBeGreaterThan(20);
    expect(asked.filter(({ statuses }) => !statuses.includes(503)).map(({ id }) => id)).toEqual([]);
  });

  it.each(asked.map(({ title, id }) => [title, id] as const))('keeps everybody out of %s', async (_, id) => {
    const call = calls.get(id)!;
    expect(await answered(call)).toEqual([422, 'captcha_refused']);
    expect(await answered(call, { captchaToken: 'solved' })).toEqual([503, 'captcha_unavailable']);
  });
});

describe('an allowlist on which nobody is', () => {
  let tenant: Tenant;
  let calls: Map<string, RawRequest>;

  beforeAll(async () => {
    tenant = await Tenant.create(test);
    calls = await callsOf(tenant, SIGN_INS);
    const { world } = tenant;
    const list = { name: 'Nobody', outcome: 'siteAccess' };
    const { body } = await world.api.post<{ id: string }>(world.path('/allowlists'), list, { expect: 201 });
    await world.api.post(`/allowlists/${body.id}/entries`, { email: newEmail() }, { expect: 201 });
    await world.api.put(`/allowlists/${body.id}/enable`, undefined, { expect: 200 });
  }, 120_000);
  afterAll(() => tenant?.close());

  it.each(SIGN_INS)('keeps everybody out who proves who they are: %s', async (id) => {
    expect(await answered(calls.get(id)!)).toEqual([403, 'access_denied']);
  });
});
