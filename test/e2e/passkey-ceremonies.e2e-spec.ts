import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { Authenticator } from '../support/authenticator.js';
import { PasskeySite, type Person, type SignInOptions } from '../support/passkeys.js';
import { rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

let test: TestApp;
let world: World;
let site: PasskeySite;
let person: Person;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
  site = await PasskeySite.register(world);
  person = await site.person();
});
afterAll(() => test.close());

type Ceremony = Parameters<Authenticator['get']>[1];
type Assertion = ReturnType<Authenticator['get']>;
type Attestation = ReturnType<Authenticator['create']>;

const flipped = (encoded: string, at: number): string => {
  const bytes = Buffer.from(encoded, 'base64url');
  bytes[at < 0 ? bytes.length + at : at]! ^= 0x01;
  return bytes.toString('base64url');
};
const sessionsOf = (userId: string) =>
  rowsOf<{ count: number }>(test, 'SELECT count(*)::int FROM sessions WHERE environment_id = $1 AND user_id = $2', [
    world.environmentId,
    userId,
  ]);
const expire = () =>
  rowsOf(test, `UPDATE passkey_challenges SET expires_at = now() WHERE environment_id = $1`, [world.environmentId]);

interface Wrong {
  ceremony?: (own: Ceremony) => Ceremony;
  answer?: (right: Assertion, options: SignInOptions) => unknown;
  /** Whose challenge it is, where it is not everybody's. */
  options?: () => Promise<SignInOptions>;
  before?: (authenticator: Authenticator) => unknown;
  code?: string;
}

const withClientData = (clientData: Record<string, unknown>): Wrong => ({
  ceremony: (own) => ({ ...own, clientData }),
});
const withResponse = (change: (response: Assertion['response']) => object): Wrong => ({
  answer: (right) => ({ ...right, response: { ...right.response, ...change(right.response) } }),
});
const CHALLENGE = 'passkey_challenge_invalid';

const WRONG: [string, Wrong][] = [
  [
    'to a challenge that was never made',
    { ...withClientData({ challenge: randomBytes(32).toString('base64url') }), code: CHALLENGE },
  ],
  ['to an empty challenge', { ...withClientData({ challenge: '' }), code: CHALLENGE }],
  ['to a challenge that is over', { before: expire, code: CHALLENGE }],
  [
    'to a challenge for a new passkey',
    {
      options: async () => ({ ...(await site.request()), challenge: (await site.creation(person)).challenge }),
      code: CHALLENGE,
    },
  ],
  ['to a challenge for another user', { options: async () => site.request(await site.person()) }],
  ['that is a registration', withClientData({ type: 'webauthn.create' })],
  ['from a site that is not registered', withClientData({ origin: 'https://app.evil.example' })],
  ['from a sibling of the site', { ceremony: (own) => ({ ...own, origin: `https://evil.${site.rpId}` }) }],
  [
    'from the site without encryption',
    { ceremony: (own) => ({ ...own, origin: site.origin.replace('https:', 'http:') }) },
  ],
  ['from the site on another port', { ceremony: (own) => ({ ...own, origin: `${site.origin}:8443` }) }],
  ['from no site', withClientData({ origin: 'null' })],
  ['from a frame of another site', withClientData({ crossOrigin: true })],
  ['with a top site that is another', withClientData({ topOrigin: 'https://evil.example' })],
  ['for another domain', { ceremony: (own) => ({ ...own, rpId: 'evil.example' }) }],
  ['without verification of the person', { ceremony: (own) => ({ ...own, flags: { uv: false } }) }],
  ['without anybody present', { ceremony: (own) => ({ ...own, flags: { up: false } }) }],
  ['of a passkey that may suddenly be copied', { ceremony: (own) => ({ ...own, flags: { be: true } }) }],
  ['of a passkey that is copied and may not be', { ceremony: (own) => ({ ...own, flags: { bs: true } }) }],
  ['with another signature', withResponse(({ signature }) => ({ signature: flipped(signature, -1) }))],
  [
    'with other authenticator data',
    withResponse(({ authenticatorData: data }) => ({ authenticatorData: flipped(data, -1) })),
  ],
  [
    'with bytes behind the authenticator data',
    withResponse(({ authenticatorData: data }) => ({
      authenticatorData: Buffer.concat([Buffer.from(data, 'base64url'), Buffer.alloc(1)]).toString('base64url'),
    })),
  ],
  ['with too little authenticator data', withResponse(() => ({ authenticatorData: 'AAAA' }))],
  ['that names another user', withResponse(() => ({ userHandle: randomBytes(64).toString('base64url') }))],
  ['that names no user where nobody was named before', withResponse(() => ({ userHandle: undefined }))],
  ['with another raw id', { answer: (right) => ({ ...right, rawId: 'AAAA' }) }],
  [
    'by a passkey that nobody has',
    { answer: (right) => ({ ...right, id: 'AAAA', rawId: 'AAAA' }), code: 'passkey_not_found' },
  ],
  [
    'by an id that is no base64url',
    { answer: (right) => ({ ...right, id: '§§', rawId: '§§' }), code: 'passkey_not_found' },
  ],
  [
    'by the key of another passkey',
    { answer: (right, options) => ({ ...new Authenticator().get(options, site), id: right.id, rawId: right.rawId }) },
  ],
  ['whose counter did not go on', { before: (own) => (own.count = 0), code: 'passkey_counter_went_back' }],
  [
    'that is no client data',
    { ...withResponse(() => ({ clientDataJSON: Buffer.from('[]').toString('base64url') })), code: CHALLENGE },
  ],
  [
    'whose client data is no text of base64url',
    { ...withResponse(() => ({ clientDataJSON: '{"type":"webauthn.get"}' })), code: CHALLENGE },
  ],
];

describe('a sign-in by passkey', () => {
  let authenticator: Authenticator;
  beforeAll(async () => {
    authenticator = await site.add(person);
    expect((await site.signIn(authenticator.get(await site.request(), site))).status).toBe(200);
  });

  it.each(WRONG)('with an answer %s is refused, and there is no session', async (_, wrong) => {
    const before = await sessionsOf(person.userId);
    const options = await (wrong.options ?? (() => site.request()))();
    const { count } = authenticator;
    await wrong.before?.(authenticator);
    const right = authenticator.get(options, wrong.ceremony?.(site) ?? site);
    const given = wrong.answer?.(right, options) ?? right;
    const { status, body, headers } = await site.signIn(given);
    expect([status, body.code]).toEqual([422, wrong.code ?? 'passkey_not_verified']);
    expect(headers.get('set-cookie')).toBeNull();
    expect(await sessionsOf(person.userId)).toEqual(before);
    authenticator.count = Math.max(count, authenticator.count);
  });

  it('with a passkey that signs in no more is refused', async () => {
    const other = await site.person();
    const own = await site.add(other);
    const off = 'UPDATE credentials SET sign_in_enabled = false WHERE environment_id = $1 AND user_id = $2';
    await rowsOf(test, off, [world.environmentId, other.userId]);
    const { body } = await site.signIn(own.get(await site.request(), site));
    expect(body).toMatchObject({ code: 'passkey_not_found' });
  });

  it('uses its challenge up even when it is refused', async () => {
    const options = await site.request();
    const unverified = authenticator.get(options, { ...site, flags: { uv: false } });
    expect((await site.signIn(unverified)).body.code).toBe('passkey_not_verified');
    const right = await site.signIn(authenticator.get(options, site));
    expect([right.status, right.body.code]).toEqual([422, CHALLENGE]);
  });

  it('in another environment is refused, whatever is shown', async () => {
    const elsewhere = await World.create(test);
    await elsewhere.owner.post(elsewhere.path('/origins'), { origin: site.origin }, { expect: 201 });
    const path = elsewhere.sdk('/users/passkeys/signin');
    const headers = { origin: site.origin };
    const own = authenticator.get(await site.request(), site);
    const first = await world.anonymous.post<{ code: string }>(path, own, { headers });
    expect([first.status, first.body.code]).toEqual([422, CHALLENGE]);
    const { body: options } = await world.anonymous.get<SignInOptions>(path, { headers, expect: 200 });
    const second = await world.anonymous.post<{ code: string }>(path, authenticator.get(options, site), { headers });
    expect([second.status, second.body.code]).toEqual([422, 'passkey_not_found']);
  });
});

interface WrongCreation {
  ceremony?: (own: Ceremony) => Ceremony;
  answer?: (right: Attestation) => unknown;
  authenticator?: () => Authenticator;
  whose?: () => Promise<Person>;
  before?: () => unknown;
  code?: string;
}

const changed = (change: (response: Attestation['response']) => object): WrongCreation => ({
  answer: (right) => ({ ...right, response: { ...right.response, ...change(right.response) } }),
});

const WRONG_CREATIONS: [string, WrongCreation][] = [
  [
    'to a challenge that was never made',
    { ceremony: (own) => ({ ...own, clientData: { challenge: 'AAAA' } }), code: CHALLENGE },
  ],
  ['to a challenge that is over', { before: expire, code: CHALLENGE }],
  ['to a challenge of another user', { whose: () => site.person(), code: CHALLENGE }],
  ['that is a proof', { ceremony: (own) => ({ ...own, clientData: { type: 'webauthn.get' } }) }],
  ['from a site that is not registered', { ceremony: (own) => ({ ...own, origin: 'https://evil.example' }) }],
  ['from a frame of another site', { ceremony: (own) => ({ ...own, clientData: { crossOrigin: true } }) }],
  ['for another domain', { ceremony: (own) => ({ ...own, rpId: 'evil.example' }) }],
  ['without verification of the person', { ceremony: (own) => ({ ...own, flags: { uv: false } }) }],
  ['without anybody present', { ceremony: (own) => ({ ...own, flags: { up: false } }) }],
  ['that is copied and may not be', { ceremony: (own) => ({ ...own, flags: { bs: true } }) }],
  ['with a key of an algorithm that was not asked for', { authenticator: () => new Authenticator(-35) }],
  ['with an id of more than 1 023 bytes', { authenticator: () => new Authenticator(-7, 1_024) }],
  ['with another id than the one that was signed', { answer: (right) => ({ ...right, id: 'AAAA', rawId: 'AAAA' }) }],
  [
    'with an attestation object cut short',
    changed(({ attestationObject: all }) => ({ attestationObject: all.slice(0, -40) })),
  ],
  ['with an attestation object that is none', changed(() => ({ attestationObject: 'AAAA' }))],
  ['with an attestation object that is no base64url', changed(() => ({ attestationObject: '§' }))],
  ['of client data that is none', { ...changed(() => ({ clientDataJson: 'AAAA' })), code: CHALLENGE }],
];

describe('a new passkey', () => {
  it.each(WRONG_CREATIONS)('with an answer %s is refused, and the user has none', async (_, wrong) => {
    const own = await site.person();
    const options = await site.creation((await wrong.whose?.()) ?? own);
    await wrong.before?.();
    const authenticator = wrong.authenticator?.() ?? new Authenticator();
    const right = authenticator.create(options, wrong.ceremony?.(site) ?? site);
    const { status, body } = await site.store(own, wrong.answer?.(right) ?? right);
    expect([status, body.code]).toEqual([422, wrong.code ?? 'passkey_not_verified']);
    expect((await site.list(own)).body).toEqual({ passkeys: [], count: 0 });
  });

  it.each([-7, -8, -257] as const)('with a key of algorithm %i signs in', async (algorithm) => {
    const own = await site.person();
    const authenticator = await site.add(own, new Authenticator(algorithm));
    const { status, body } = await site.signIn(authenticator.get(await site.request(), site));
    expect([status, body.user?.id]).toEqual([200, own.userId]);
  });

  it('asks for a proof that is not older than five minutes', async () => {
    const own = await site.person();
    const answer = new Authenticator().create(await site.creation(own), site);
    const without = await site.store({ ...own, elevated: '' }, answer);
    expect([without.status, without.body.code]).toEqual([403, 'fresh_proof_required']);
    const other = await site.person(['credential:unlink']);
    const wrongScope = await site.store(other, new Authenticator().create(await site.creation(other), site));
    expect([wrongScope.status, wrongScope.body.code]).toEqual([403, 'fresh_proof_required']);
    // The guard stands before the ceremony, so the challenge still waits for its answer.
    expect((await site.store(own, answer)).status).toBe(200);
  });
});

describe('options', () => {
  it.each([
    ['of a stranger', () => 'https://app.evil.example'],
    ['of a sibling', () => `https://evil.${site.rpId}`],
    ['of an address', () => 'https://192.0.2.7'],
    ['of nothing', () => 'null'],
  ])('for the site %s are refused', async (_, origin) => {
    const { status, body } = await world.anonymous.get<{ code: string }>(site.path('/signin'), {
      headers: { origin: origin() },
    });
    expect([status, body.code]).toEqual([400, 'passkey_origin_not_allowed']);
  });

  it('are refused for a related domain that is none of the environment', async () => {
    const options = { headers: { origin: site.origin } };
    const path = site.path('/signin?relatedOriginRpId=evil.example');
    const { status, body } = await world.anonymous.get<{ code: string }>(path, options);
    expect([status, body.code]).toEqual([400, 'passkey_related_origin_unknown']);
  });

  it('are refused where an environment has no site', async () => {
    const bare = await World.create(test);
    const { status, body } = await bare.anonymous.get<{ code: string }>(bare.sdk('/users/passkeys/signin'));
    expect([status, body.code]).toEqual([400, 'passkey_origin_not_allowed']);
    const { jwt } = await bare.signIn(newEmail());
    expect((await bare.anonymous.get(bare.sdk('/users/passkeys/register'), { token: jwt })).status).toBe(400);
  });
});
