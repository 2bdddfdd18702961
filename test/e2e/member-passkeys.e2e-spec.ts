import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { DevInbox } from '../../src/providers/index.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { Authenticator } from '../support/authenticator.js';
import { TestClient } from '../support/client.js';
import { FactorSite, type Factor } from '../support/factor-site.js';
import { joined, ofOrganization } from '../support/invites.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { addDevice, refreshed, roomInStep } from '../support/second-factor.js';
import { newEmail, World } from '../support/world.js';

interface Refusal {
  code?: string;
}

const CHALLENGE = 'passkey_challenge_invalid';
const NOT_VERIFIED = 'passkey_not_verified';
const HASTE = { requestedScopes: ['console:settings:update'] };

let test: TestApp;
/** Whose organization asks its members for passkeys and for nothing else. */
let world: World;
let site: FactorSite;
let member: { email: string; userId: string; jwt: string };

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
  site = FactorSite.ofConsole(world);
  await world.owner.put(ofOrganization(world, '/mfaSettings/passkey/enable'), undefined, { expect: 200 });
});
afterAll(() => test.close());
beforeEach(async () => {
  const { email, userId } = await joined(world, 'admin');
  member = { email, userId, jwt: await signIn(email) };
});

const atConsole = (rest: string): string => world.sdk(rest, world.ids.consoleEnvironmentId);
const mfa = (rest = ''): string => atConsole(`/users/mfa${rest}`);
const scopeOf = (token: string) => decodeJwt(token)['scope'];
const signIn = async (email: string): Promise<string> =>
  (await world.signIn(email, { environmentId: world.ids.consoleEnvironmentId })).jwt;
/** What the organization answers to a member. */
const read = (token: string) => new TestClient(test.url, token).get<Refusal>(ofOrganization(world, '/mfaSettings'));
const age = (token: string) =>
  rowsOf(test, "UPDATE sessions SET created_at = created_at - interval '6 min' WHERE id = $1", [
    decodeJwt(token)['sid'],
  ]);
const devicesOf = (userId: string) =>
  rowsOf<{ id: string; type: string }>(test, 'SELECT id, type FROM mfa_devices WHERE user_id = $1 ORDER BY id', [
    userId,
  ]);
/** A factor given for a removal, and the session as it goes on. */
const givenFor = async (factor: Factor, jwt: string): Promise<{ jwt: string; mfaToken: string }> => {
  const { body } = await site.give(factor, jwt, { createMfaToken: { singleUse: true } });
  return { jwt: body.jwt, mfaToken: body.mfaToken! };
};
const remove = (id: string, { jwt, mfaToken }: { jwt: string; mfaToken: string }) =>
  world.anonymous.delete<Refusal>(mfa(`/${id}`), { token: jwt, headers: { 'x-mfa-auth-token': mfaToken } });

describe('a passkey of a member', () => {
  it('opens an organization that requires one, at once and at each sign-in, and the member is notified', async () => {
    expect((await read(member.jwt)).body.code).toBe('member_factor_required');
    const factor = await site.add(member.jwt);
    expect((await read(factor.jwt)).status).toBe(200);

    const again = await signIn(member.email);
    expect(scopeOf(again)).toBe('requiresAdditionalAuth');
    expect((await read(again)).status).toBe(403);
    const given = await site.give(factor, again);
    expect(given.status).toBe(200);
    expect((await read(given.body.jwt)).status).toBe(200);
    expect(decodeJwt(given.body.jwt)['amr']).toEqual(['otp', 'passkey']);

    const told = await eventsOf(test, world.ids.consoleEnvironmentId, factor.id);
    expect(told.map(({ name }) => name)).toEqual(['mfaDevice.added']);
    const mails = test.app.get(DevInbox).entries.filter(({ to }) => to === member.email);
    expect(mails.map(({ subject }) => subject)).toContainEqual(expect.stringMatching(/^A second factor was added/));
  });

  it('is made for the address of the deployment, whichever page of it asks, and for no other site', async () => {
    const { origin, hostname } = new URL(site.origin);
    const path = mfa('/register/passkey');
    for (const headers of [undefined, { origin }]) {
      const { body } = await world.anonymous.get<{ registration: { rp: { id: string }; user: { id: string } } }>(path, {
        token: member.jwt,
        headers,
        expect: 200,
      });
      expect(body.registration.rp.id).toBe(hostname);
      expect(Buffer.from(body.registration.user.id, 'base64url')).toHaveLength(64);
    }
    // Sites of environments are none of the console, nor is the service by another name, scheme or port.
    const customer = `https://app.${world.environmentId}.com`;
    await world.owner.post(world.path('/origins'), { origin: customer }, { expect: 201 });
    for (const other of [customer, `${origin}1`, origin.replace('http:', 'https:'), 'http://127.0.0.1', 'null']) {
      const { status, body } = await world.anonymous.get<Refusal>(path, {
        token: member.jwt,
        headers: { origin: other },
      });
      expect([other, status, body.code]).toEqual([other, 400, 'passkey_origin_not_allowed']);
    }
  });

  it('is not registered from an invalid response: each one is refused, and nothing is added', async () => {
    const { jwt } = member;
    const stranger = await signIn(newEmail());
    const begin = async (token = jwt) => (await site.begin(token)).body;
    type Ceremony = Parameters<Authenticator['create']>[1];
    const made = async (more: Partial<Ceremony>, key = new Authenticator()) => {
      const { id, registration } = await begin();
      const { response, ...rest } = key.create(registration, { ...site.ceremony, ...more });
      const { clientDataJson: clientDataJSON, attestationObject } = response;
      return { id, attestation: { ...rest, response: { clientDataJSON, attestationObject } } };
    };
    const WRONG: [string, () => Promise<object>, string][] = [
      ['another challenge', () => made({ clientData: { challenge: 'AAAA' } }), CHALLENGE],
      [
        'the challenge of another member',
        async () => site.answerTo({ ...(await begin(stranger)), id: (await begin()).id }, new Authenticator()),
        CHALLENGE,
      ],
      [
        'the device of another member',
        async () => site.answerTo(await begin(stranger), new Authenticator()),
        'mfa_invalid_request',
      ],
      ['a proof in its place', () => made({ clientData: { type: 'webauthn.get' } }), NOT_VERIFIED],
      ['another site', () => made({ origin: 'https://evil.example' }), NOT_VERIFIED],
      ['a frame of another site', () => made({ clientData: { crossOrigin: true } }), NOT_VERIFIED],
      ['another domain', () => made({ rpId: 'evil.example' }), NOT_VERIFIED],
      ['nobody verified', () => made({ flags: { uv: false } }), NOT_VERIFIED],
      ['nobody present', () => made({ flags: { up: false } }), NOT_VERIFIED],
      ['an algorithm that was not asked for', () => made({}, new Authenticator(-35)), NOT_VERIFIED],
      ['an id of more than 1 023 bytes', () => made({}, new Authenticator(-7, 1_024)), NOT_VERIFIED],
    ];
    for (const [what, answer, code] of WRONG) {
      const { status, body } = await site.finish(await answer(), jwt);
      expect([what, status, body.code]).toEqual([what, 422, code]);
    }
    const expired = site.answerTo(await begin(), new Authenticator());
    await rowsOf(test, 'UPDATE passkey_challenges SET expires_at = now() WHERE user_id = $1', [member.userId]);
    expect((await site.finish(expired, jwt)).body.code).toBe(CHALLENGE);
    expect((await read(await refreshed(world, jwt, world.ids.consoleEnvironmentId))).status).toBe(403);
    const rows = 'SELECT 1 FROM mfa_devices WHERE user_id = $1 AND verified_at IS NOT NULL';
    expect(await rowsOf(test, rows, [member.userId])).toEqual([]);
  });

  it('is no proof with another key, member, challenge, site or domain, nor as a copy', async () => {
    const factor = await site.add(member.jwt);
    const other = await joined(world, 'admin');
    const theirs = await site.add(await signIn(other.email));
    const jwt = await signIn(member.email);
    const mine = () => site.challenge('authenticate', jwt);
    const get = async (more: object) => factor.key.get(await mine(), { ...site.ceremony, ...more });
    const WRONG: [string, () => Promise<object>, string][] = [
      ['the key of another member', async () => theirs.key.get(await mine(), site.ceremony), 'passkey_not_found'],
      [
        'the challenge of another member',
        async () => factor.key.get(await site.challenge('authenticate', theirs.jwt), site.ceremony),
        CHALLENGE,
      ],
      [
        'a challenge of a sign-in',
        async () => factor.key.get(await site.challenge('signin'), site.ceremony),
        CHALLENGE,
      ],
      ['another challenge', () => get({ clientData: { challenge: 'AAAA' } }), CHALLENGE],
      ['a registration in its place', () => get({ clientData: { type: 'webauthn.create' } }), NOT_VERIFIED],
      ['another site', () => get({ origin: 'https://evil.example' }), NOT_VERIFIED],
      ['a frame of another site', () => get({ clientData: { crossOrigin: true } }), NOT_VERIFIED],
      ['another domain', () => get({ rpId: 'evil.example' }), NOT_VERIFIED],
      ['nobody verified', () => get({ flags: { uv: false } }), NOT_VERIFIED],
      ['nobody present', () => get({ flags: { up: false } }), NOT_VERIFIED],
      ['a key that may suddenly be copied', () => get({ flags: { be: true } }), NOT_VERIFIED],
      [
        'a key that nobody has registered',
        async () => new Authenticator().get(await mine(), site.ceremony),
        'passkey_not_found',
      ],
    ];
    for (const [what, answer, code] of WRONG) {
      const { status, body } = await site.send(await answer(), jwt);
      expect([what, status, body.code]).toEqual([what, 422, code]);
    }
    expect((await read(jwt)).status).toBe(403);
    expect((await site.give(factor, jwt)).status).toBe(200);
    // A counter that did not go on is that of a second authenticator with the same key.
    factor.key.count = 0;
    expect((await site.give(factor, jwt)).body.code).toBe('passkey_counter_went_back');
  });

  it('answers a challenge once and is registered once, of 50 concurrent calls each', async () => {
    const begun = (await site.begin(member.jwt)).body;
    const key = new Authenticator();
    const body = site.answerTo(begun, key);
    const enrolled = await Promise.all(Array.from({ length: 50 }, () => site.finish(body, member.jwt)));
    expect(enrolled.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await devicesOf(member.userId)).toEqual([{ id: begun.id, type: 'passkey' }]);

    const jwt = await signIn(member.email);
    const assertion = key.get(await site.challenge('authenticate', jwt), site.ceremony);
    const given = await Promise.all(Array.from({ length: 50 }, () => site.send(assertion, jwt)));
    expect(given.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = given.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ status, body: { code } }) => `${status} ${code}`))).toEqual(
      new Set([`422 ${CHALLENGE}`]),
    );
  });

  it('is a fresh proof if it is older than the session', async () => {
    const factor = await site.add(member.jwt);
    expect((await site.give(factor, factor.jwt, HASTE)).body.code).toBe('fresh_proof_required');
    await rowsOf(test, "UPDATE mfa_devices SET verified_at = verified_at - interval '1 hour' WHERE id = $1", [
      factor.id,
    ]);
    const raised = (await site.give(factor, await signIn(member.email))).body.jwt;
    await age(raised);
    const mint = (token: string, headers = {}) =>
      new TestClient(test.url, token).post<Refusal>(world.path('/tokens'), { note: 'ci', scopes: [] }, { headers });
    expect((await mint(raised)).body.code).toBe('fresh_proof_required');
    const { body } = await site.give(factor, raised, HASTE);
    const proof = { 'x-elevated-access-token': body.elevatedAccessToken! };
    expect((await mint(body.jwt, proof)).status).toBe(201);
    // Of this session alone.
    const other = (await site.give(factor, await signIn(member.email))).body.jwt;
    await age(other);
    expect((await mint(other, proof)).status).toBe(403);
  });

  it('requires a sign-in of the last five minutes if it is the first, and the second factor afterwards', async () => {
    await age(member.jwt);
    expect((await site.begin(member.jwt)).body).toMatchObject({ code: 'fresh_proof_required' });
    const fresh = await signIn(member.email);
    await site.add(fresh);
    const stolen = await signIn(member.email);
    expect((await site.begin(stolen)).body).toMatchObject({ code: 'second_factor_required' });
  });

  it('can be replaced with the recovery codes if lost', async () => {
    const lost = await site.add(member.jwt);
    const { body: codes } = await world.anonymous.get<{ recoveryCodes: string[] }>(mfa('/recovery'), {
      token: lost.jwt,
      expect: 200,
    });
    expect(codes.recoveryCodes).toHaveLength(10);
    const jwt = await signIn(member.email);
    const recover = (token: string) =>
      world.anonymous.post<{ jwt: string } & Refusal>(
        mfa('/auth/recovery'),
        { code: codes.recoveryCodes[0] },
        { token },
      );
    const recovered = await recover(jwt);
    expect(recovered.status).toBe(200);
    expect((await read(recovered.body.jwt)).status).toBe(200);
    expect((await recover(await signIn(member.email))).body.code).toBe('mfa_invalid_code');

    const next = await site.add(recovered.body.jwt);
    await world.anonymous.put(mfa(`/${next.id}`), { default: true }, { token: next.jwt, expect: 204 });
    expect((await remove(lost.id, await givenFor(next, next.jwt))).status).toBe(204);
    const again = await signIn(member.email);
    expect((await site.give(lost, again)).body.code).toBe('passkey_not_found');
    expect((await read((await site.give(next, again)).body.jwt)).status).toBe(200);
  });
});

describe('the last passkey of a member', () => {
  const REFUSED = [400, expect.stringContaining('register another one')];
  const answerOf = ({ status, body }: Awaited<ReturnType<typeof remove>>) => [status, JSON.stringify(body)];
  /** The member has an authenticator app too, which is the default. @returns its id */
  const addApp = async (jwt: string): Promise<string> => {
    await roomInStep();
    const { id } = await addDevice(world, jwt, world.ids.consoleEnvironmentId);
    await world.anonymous.put(mfa(`/${id}`), { default: true }, { token: jwt, expect: 204 });
    return id;
  };

  it('stays while an organization requires it, even beside a device it does not accept, and no token is used up', async () => {
    const factor = await site.add(member.jwt);
    const given = await givenFor(factor, factor.jwt);
    expect(answerOf(await remove(factor.id, given))).toEqual(REFUSED);
    const app = await addApp(given.jwt);
    expect(answerOf(await remove(factor.id, given))).toEqual(REFUSED);

    const second = await site.add(await refreshed(world, given.jwt, world.ids.consoleEnvironmentId));
    expect((await remove(factor.id, { ...given, jwt: second.jwt })).status).toBe(204);
    const left = await devicesOf(member.userId);
    expect(left.map(({ id }) => id).toSorted()).toEqual([app, second.id].toSorted());
  });

  it('stays if two are removed concurrently', async () => {
    const one = await site.add(member.jwt);
    const two = await site.add(one.jwt);
    await addApp(two.jwt);
    const first = await givenFor(one, await refreshed(world, two.jwt, world.ids.consoleEnvironmentId));
    const second = await givenFor(two, first.jwt);
    const removals = [
      [one.id, first],
      [two.id, second],
    ] as const;
    const answers = await Promise.all(removals.map(([id, given]) => remove(id, { ...given, jwt: second.jwt })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 400]);
    expect((await devicesOf(member.userId)).map(({ type }) => type).toSorted()).toEqual(['passkey', 'totp']);
  });

  it('can be removed if no organization requires one', async () => {
    const other = await World.create(test);
    const own = await joined(other, 'admin');
    const factor = await site.add(await signIn(own.email));
    expect((await remove(factor.id, await givenFor(factor, factor.jwt))).status).toBe(204);
    expect(await devicesOf(own.userId)).toEqual([]);
  });
});
