import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHmac, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { Issuer, signer, type Signer } from '../support/token-issuer.js';
import { World } from '../support/world.js';

const ISSUER = 'https://issuer.example';
const AUDIENCE = 'gatehouse';

describe('checking a token of another service', () => {
  let test: TestApp;
  let world: World;
  let issuer: Issuer;
  let rs256: Signer;
  const signers: Signer[] = [];

  beforeAll(async () => {
    test = await sharedTestApp();
    issuer = await Issuer.start();
    for (const alg of ['RS256', 'PS256', 'RS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'])
      signers.push(await signer(alg));
    rs256 = signers[0]!;
  });
  afterAll(async () => {
    await test.close();
    await issuer.stop();
  });

  beforeEach(async () => {
    world = await World.create(test);
    issuer.keys = signers.map(({ publicJwk }) => publicJwk);
    issuer.answer = null;
    issuer.requests = 0;
    await configure({});
  });

  /** A path of its own each time, so that no test meets keys that another has fetched. */
  async function configure(change: object): Promise<void> {
    const jwksUrl = `${issuer.url}/${randomUUID()}`;
    const externalAuth = { enabled: true, iss: ISSUER, aud: AUDIENCE, jwksUrl, ...change };
    await world.owner.put(world.path(''), { security: { externalAuth } }, { expect: 200 });
  }

  async function check(encodedJwt: string): Promise<{ valid: boolean; errors: string[] }> {
    const path = world.path('/externalJwt/check');
    return (await world.owner.post<{ valid: boolean; errors: string[] }>(path, { encodedJwt }, { expect: 200 })).body;
  }

  const now = (): number => Math.floor(Date.now() / 1_000);
  const goodClaims = (): Record<string, unknown> => ({
    iss: ISSUER,
    aud: AUDIENCE,
    sub: 'user-1',
    iat: now(),
    exp: now() + 60,
  });

  /** A token as `jose` writes it. */
  const token = (claims: object = {}, header: object = {}, by: Signer = rs256): Promise<string> =>
    new SignJWT(JSON.parse(JSON.stringify({ ...goodClaims(), ...claims })) as Record<string, unknown>)
      .setProtectedHeader({ alg: by.alg, kid: by.kid, typ: 'JWT', ...header })
      .sign(by.privateKey);

  it('accepts valid ones, with any algorithm', async () => {
    for (const by of signers)
      expect([by.alg, await check(await token({}, {}, by))]).toEqual([by.alg, { valid: true, errors: [] }]);
  });

  // Times are those of the test, and not of when this file was read: an application may have started in between.
  it.each<[string, () => object, object]>([
    ['several audiences, ours among them', () => ({ aud: ['other', AUDIENCE] }), {}],
    ['no type', () => ({}), { typ: undefined }],
    ['the type of an access token', () => ({}), { typ: 'at+jwt' }],
    ['a clock that is 59 s ahead', () => ({ iat: now() + 59, nbf: now() + 59 }), {}],
    ['an expiry 30 s ago, which a clock may be late', () => ({ iat: now() - 200, exp: now() - 30 }), {}],
    ['an age of five minutes', () => ({ iat: now() - 300 }), {}],
  ])('takes %s', async (_name, claims, header) => {
    expect(await check(await token(claims(), header))).toEqual({ valid: true, errors: [] });
  });

  it('accepts a token without a key id if one key matches', async () => {
    const es = signers.find(({ alg }) => alg === 'ES256')!;
    expect(await check(await token({}, { kid: undefined }, es))).toEqual({ valid: true, errors: [] });
  });

  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const parts = (jwt: string): [string, string, string] => jwt.split('.') as [string, string, string];
  const header = (change: object): string => encode({ alg: 'RS256', kid: rs256.kid, typ: 'JWT', ...change });

  const mutations: [string, () => Promise<string> | string][] = [
    ['the algorithm none', () => `${header({ alg: 'none' })}.${encode(goodClaims())}.`],
    [
      'the algorithm none with a signature',
      async () =>
        `${header({ alg: 'none' })}.${parts(await token())
          .slice(1)
          .join('.')}`,
    ],
    ['the algorithm None', () => `${header({ alg: 'None' })}.${encode(goodClaims())}.AA`],
    [
      'an HMAC with the public key as its secret',
      () => {
        const input = `${header({ alg: 'HS256' })}.${encode(goodClaims())}`;
        return `${input}.${createHmac('sha256', JSON.stringify(rs256.publicJwk)).update(input).digest('base64url')}`;
      },
    ],
    ['the algorithm of another key', () => token({}, { kid: signers[1]!.kid })],
    ['a key nobody publishes', () => token({}, { kid: 'unknown' })],
    [
      'a key in its own header',
      async () => {
        const own = await signer('RS256');
        return token({}, { kid: own.kid, jwk: own.publicJwk }, own);
      },
    ],
    [
      'an address of keys in its own header',
      async () => {
        const own = await signer('RS256');
        return token({}, { kid: own.kid, jku: 'http://127.0.0.1:1/keys' }, own);
      },
    ],
    [
      'the name of a good key and the signature of another',
      async () => token({}, { kid: rs256.kid }, await signer('RS256')),
    ],
    [
      'no key where several fit',
      async () => {
        issuer.keys.push((await signer('RS256')).publicJwk);
        return token({}, { kid: undefined });
      },
    ],
    [
      'a key id that is a number',
      async () => {
        const [, body, tail] = parts(await token());
        return `${header({ kid: 7 })}.${body}.${tail}`;
      },
    ],
    [
      'an extension that must be understood',
      async () => {
        const [, body, tail] = parts(await token());
        return `${header({ crit: ['x'], x: 1 })}.${body}.${tail}`;
      },
    ],
    ['another type', () => token({}, { typ: 'logout+jwt' })],
    [
      'claims that were changed',
      async () => {
        const [head, , tail] = parts(await token());
        return `${head}.${encode({ ...goodClaims(), sub: 'admin' })}.${tail}`;
      },
    ],
    [
      'a signature that was changed',
      async () => {
        const [head, body, tail] = parts(await token());
        return `${head}.${body}.${tail.startsWith('A') ? 'B' : 'A'}${tail.slice(1)}`;
      },
    ],
    [
      'no signature',
      async () =>
        `${parts(await token())
          .slice(0, 2)
          .join('.')}.`,
    ],
    ['a signature that is cut short', async () => (await token()).slice(0, -8)],
    ['padding', async () => `${await token()}==`],
    ['a space', async () => ` ${await token()}`],
    ['a fourth part', async () => `${await token()}.AA`],
    [
      'two parts',
      async () =>
        parts(await token())
          .slice(0, 2)
          .join('.'),
    ],
    ['nothing', () => ''],
    ['another issuer', () => token({ iss: `${ISSUER}/` })],
    ['no issuer', () => token({ iss: undefined })],
    ['another audience', () => token({ aud: 'other' })],
    ['no audience', () => token({ aud: undefined })],
    ['an empty list of audiences', () => token({ aud: [] })],
    ['no subject', () => token({ sub: undefined })],
    ['an empty subject', () => token({ sub: '' })],
    ['no expiry', () => token({ exp: undefined })],
    ['an expiry 60 s ago', () => token({ iat: now() - 100, exp: now() - 61 })],
    ['an expiry that is a text', async () => token({ exp: String(now() + 60) })],
    ['no time of issue', () => token({ iat: undefined })],
    ['a time of issue in the future', () => token({ iat: now() + 70 })],
    ['an age of more than five minutes', () => token({ iat: now() - 365 })],
    ['a time before which it is not valid', () => token({ nbf: now() + 70 })],
    [
      'claims that are a list',
      async () => {
        const [head, , tail] = parts(await token());
        return `${head}.${encode([])}.${tail}`;
      },
    ],
    ['a length of 16,385 characters', async () => (await token({ filler: 'x'.repeat(13_000) })).padEnd(16_385, 'A')],
    [
      'a weak key',
      async () => {
        const weak = await signer('RS256', { modulusLength: 2048 });
        issuer.keys = [{ ...weak.publicJwk, n: weak.publicJwk.n!.slice(0, 172) }];
        return token({}, {}, weak);
      },
    ],
    [
      'a key for encryption',
      async () => {
        issuer.keys = [{ ...rs256.publicJwk, use: 'enc' }];
        return token();
      },
    ],
    [
      'a key that may only sign',
      async () => {
        issuer.keys = [{ ...rs256.publicJwk, use: undefined, key_ops: ['sign'] }];
        return token();
      },
    ],
    [
      'two keys with one name',
      async () => {
        issuer.keys = [rs256.publicJwk, { ...signers[2]!.publicJwk, alg: 'RS256', kid: rs256.kid }];
        return token();
      },
    ],
  ];

  it(`takes none of ${mutations.length} that are wrong, and says why`, async () => {
    expect(mutations.length).toBeGreaterThanOrEqual(30);
    for (const [name, make] of mutations) {
      issuer.keys = signers.map(({ publicJwk }) => publicJwk);
      await configure({});
      // The last thing before the check: what is 70 s ahead is good when it is only 60.
      const { valid, errors } = await check(await make());
      expect([name, valid, errors.length > 0]).toEqual([name, false, true]);
      for (const error of errors) expect(error).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('names every fault of a token', async () => {
    const { errors } = await check(await token({ iss: 'x', aud: 'x', exp: 1 }, { kid: 'unknown' }));
    expect(errors).toEqual([
      'The issuer (iss) is not the one of the settings.',
      'The audience (aud) is not the one of the settings.',
      'The token has expired, or names no expiry (exp).',
      'The key set (jwksUrl) has no key for this token.',
    ]);
  });

  it('says what is missing in the settings', async () => {
    await configure({ enabled: false, aud: null });
    expect((await check(await token())).errors).toEqual([
      'External authentication is switched off in the settings.',
      'The settings lack the issuer (iss), the audience (aud) or the key set (jwksUrl).',
    ]);
    expect(issuer.requests).toBe(0);
  });

  it.each<[string, () => { status: number; headers?: Record<string, string>; body: string }]>([
    ['an error', () => ({ status: 500, body: '{}' })],
    ['a redirect', () => ({ status: 302, headers: { location: '/elsewhere' }, body: '' })],
    ['a page', () => ({ status: 200, body: '<html></html>' })],
    ['keys that are no list', () => ({ status: 200, body: '{"keys": {}}' })],
    ['more than 256 KB', () => ({ status: 200, body: JSON.stringify({ keys: [], x: 'x'.repeat(300_000) }) })],
  ])('reports an invalid key set that is %s, and follows no redirect', async (_name, answer) => {
    issuer.answer = answer;
    expect((await check(await token())).errors).toEqual(['The key set (jwksUrl) did not answer with a key set.']);
    expect(issuer.requests).toBe(1);
  });

  it('reveals no more about an internal address than about a closed one', async () => {
    await configure({ jwksUrl: 'http://127.0.0.1:9/keys' });
    expect((await check(await token())).errors).toEqual(['The key set (jwksUrl) refused the connection.']);
  });

  it('fetches the keys once for 50 concurrent tokens, and for unknown keys at most once in 30 s', async () => {
    const good = await token();
    const answers = await Promise.all(Array.from({ length: 50 }, () => check(good)));
    expect(new Set(answers.map(({ valid }) => valid))).toEqual(new Set([true]));
    expect(issuer.requests).toBe(1);
    for (let at = 0; at < 5; at++) await check(await token({}, { kid: `unknown ${at}` }));
    expect(issuer.requests).toBe(1);
  });

  it('writes nothing', async () => {
    const stranger = await World.create(test);
    const { status } = await stranger.owner.post<{ code: string }>(world.path('/externalJwt/check'), {
      encodedJwt: 'x',
    });
    expect(status).toBe(404);
    const viewing = world.api.withToken(await world.mint(['environment.settings.read']));
    expect((await viewing.post(world.path('/externalJwt/check'), { encodedJwt: 'x' })).status).toBe(403);
  });
});
