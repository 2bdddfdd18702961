import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { ReturnAddresses } from '../../src/environments/index.js';
import { OauthAttemptsRepository } from '../../src/identity/methods/oauth/oauth-attempts.repository.js';
import { ProviderUrls } from '../../src/providers/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { OauthVendor } from '../support/oauth-vendor.js';
import { challengeOf, newAccount, OauthVisitor, random, type Refused } from '../support/oauth-visitor.js';
import { OpenIdPeer } from '../support/openid-peer.js';
import { fillRows, rowsOf } from '../support/rows.js';
import { World } from '../support/world.js';

const SITE = 'https://app.example.com';
const RETURN = `${SITE}/signed-in`;
const DEEPLINK = 'myapp://signed-in';

let test: TestApp;
let world: World;
let vendor: OauthVendor;
let peer: OpenIdPeer;

beforeAll(async () => {
  [vendor, peer] = [await OauthVendor.start(), await OpenIdPeer.start()];
  const addresses = { github: vendor.addresses, google: { issuer: peer.issuer } };
  test = await startTestApp({ env: { ROLE: 'api', PROVIDER_ADDRESSES: JSON.stringify(addresses) } });
  world = await World.create(test);
  peer.serve([test.app.get(ProviderUrls).of(world.environmentId, 'google').redirectUrl!]);
  for (const provider of ['github', 'google']) {
    const path = world.path(`/settings/providers/type/${provider}`);
    const client = { clientId: 'client', clientSecret: 'secret-of-the-client' };
    const { id } = (await world.owner.post<{ id: string }>(path, client, { expect: 201 })).body;
    await world.owner.put(`/settings/providers/${id}/enable`, undefined, { expect: 200 });
  }
  await world.owner.post(world.path('/origins'), { origin: SITE }, { expect: 201 });
  await world.owner.post(world.path('/deeplinkUrls'), { url: DEEPLINK }, { expect: 201 });
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(async () => {
  await test.close();
  await vendor.stop();
  await peer.stop();
});

type Answered = { status: number; body: Refused };
const visitor = (): OauthVisitor => new OauthVisitor(world, vendor);
const begun = (body?: object, provider?: string) => visitor().begin(body, provider);
const initAuth = (body: object): Promise<Answered> =>
  world.anonymous.post<Refused>(visitor().at('/initAuth'), { state: random(), ...body });
/** The way back from the provider, as a browser with these cookies goes it. */
const comeBack = (path: string, cookie: string): Promise<Answered> =>
  world.anonymous.get<Refused>(path, { headers: { cookie } });
const backWith = ({ state, at }: { state: string; at: string }): string => `${at}?state=${state}&code=code-of-ann`;
const waiting = async (): Promise<{ own: OauthVisitor; code: string }> => {
  const own = await begun();
  await own.comeBack(newAccount());
  return { own, code: (await own.result()).body.code };
};
/** What a provider of OpenID Connect sends a browser back with. */
const answerOfPeer = async (own: OauthVisitor): Promise<{ code: string; iss: string }> => {
  peer.account = { sub: random() };
  const back = await peer.visit((await own.login('', 'google')).headers.get('location')!);
  return { code: back.searchParams.get('code')!, iss: back.searchParams.get('iss')! };
};
const answeredBy = async (answer: (genuine: { code: string; iss: string }) => Record<string, string>) => {
  const own = await begun({}, 'google');
  await own.callback(answer(await answerOfPeer(own)), 'google');
  return own.finish('google');
};

/** What an attack does, up to the call that has to be refused. */
type Attack = () => Promise<Answered>;

/**
 * The attacks on a sign-in at a provider, counted: by the state (RFC 9700 §4.7), from another browser (§4.7.1), by mixing
 * providers up (§4.4), by injecting a code (§4.5), and by the address that a browser is sent back to (§4.1, §4.11).
 */
const NEGATIVES: readonly [number: number, attack: string, code: string, run: Attack][] = [
  [1, 'a sign-in begins without a state', 'oauth_state_weak', () => initAuth({ state: '' })],
  [
    2,
    'a sign-in begins with a state of 128 bits',
    'oauth_state_weak',
    () => initAuth({ state: randomBytes(16).toString('base64url') }),
  ],
  [
    3,
    'a sign-in begins with the state of another one',
    'oauth_state_in_use',
    async () => initAuth({ state: (await begun()).state }),
  ],
  [
    4,
    'an answer names a state that nobody began with',
    'oauth_attempt_unknown',
    async () => {
      const own = await begun();
      return comeBack(backWith({ state: random(), at: own.at('/redirect') }), own.cookie);
    },
  ],
  [
    5,
    'an answer names no state',
    'oauth_attempt_unknown',
    async () => {
      const own = await begun();
      return comeBack(own.at('/redirect?code=code-of-ann'), own.cookie);
    },
  ],
  [
    6,
    'an answer names two states',
    'validation_failed',
    async () => {
      const [own, other] = [await begun(), await begun()];
      return comeBack(`${backWith({ state: own.state, at: own.at('/redirect') })}&state=${other.state}`, own.cookie);
    },
  ],
  [
    7,
    'an answer comes more than ten minutes after the beginning',
    'oauth_attempt_expired',
    async () => {
      const own = await begun();
      await fillRows(test, "UPDATE oauth_attempts SET expires_at = now() - interval '1 s' WHERE state_hash = $1", [
        createHash('sha256').update(own.state).digest(),
      ]);
      return own.callback({ code: 'code-of-ann' });
    },
  ],
  [
    8,
    'a state and its code are used a second time',
    'oauth_attempt_unknown',
    async () => {
      const { own, code } = await waiting();
      await signedInOnce(() => own.signIn({ code }));
      return own.signIn({ code });
    },
  ],
  [
    9,
    'an answer comes to a browser that did not begin',
    'oauth_attempt_elsewhere',
    async () => {
      const own = await begun();
      return comeBack(backWith({ state: own.state, at: own.at('/redirect') }), '');
    },
  ],
  [
    10,
    'an answer comes to the browser of another sign-in',
    'oauth_attempt_elsewhere',
    async () => {
      const [own, other] = [await begun(), await begun()];
      return comeBack(backWith({ state: own.state, at: own.at('/redirect') }), other.cookie);
    },
  ],
  [
    11,
    'a browser brings the cookies of two sign-ins',
    'oauth_attempt_elsewhere',
    async () => {
      const [own, other] = [await begun(), await begun()];
      const cookies = `${own.cookie}; ${other.cookie}`;
      return comeBack(backWith({ state: own.state, at: own.at('/redirect') }), cookies);
    },
  ],
  [
    12,
    'another browser leaves for the provider',
    'oauth_attempt_elsewhere',
    async () => visitor().login(`?state=${(await begun()).state}`),
  ],
  [
    13,
    'another browser asks for the code',
    'oauth_attempt_elsewhere',
    async () => {
      const { own } = await waiting();
      return world.anonymous.post<Refused>(own.at('/oauthResult'), { state: own.state });
    },
  ],
  [
    14,
    'another browser finishes with state and code',
    'oauth_attempt_elsewhere',
    async () => {
      const { own, code } = await waiting();
      const headers = { cookie: (await begun()).cookie };
      return world.anonymous.post<Refused>(own.at('/signIn'), { state: own.state, code }, { headers });
    },
  ],
  [
    15,
    'an answer comes to the address of another provider',
    'oauth_attempt_unknown',
    async () => {
      const own = await begun();
      return comeBack(backWith({ state: own.state, at: own.at('/redirect', 'google') }), own.cookie);
    },
  ],
  [
    16,
    'an answer comes to another environment',
    'oauth_attempt_unknown',
    async () => {
      const own = await begun();
      const at = world.sdk('/providers/github/redirect', world.ids.environments.live);
      return comeBack(backWith({ state: own.state, at }), own.cookie);
    },
  ],
  [
    17,
    'an answer names another issuer',
    'social_sign_in_failed',
    () => answeredBy(({ code }) => ({ code, iss: 'https://evil.example' })),
  ],
  [
    18,
    'an answer names no issuer where the provider always does',
    'social_sign_in_failed',
    () => answeredBy(({ code }) => ({ code })),
  ],
  [
    19,
    'the code of the provider was made for another browser',
    'social_sign_in_failed',
    async () => {
      const stolen = await answerOfPeer(await begun({}, 'google'));
      return answeredBy(() => ({ ...stolen }));
    },
  ],
  [
    20,
    'a second answer comes after the first',
    'oauth_already_answered',
    async () => {
      const { own } = await waiting();
      return own.comeBack(newAccount());
    },
  ],
  [
    21,
    'a sign-in is finished with another code',
    'oauth_code_invalid',
    async () => (await waiting()).own.signIn({ code: random() }),
  ],
  [
    22,
    'whoever caught the code of an application does not know its verifier',
    'oauth_code_invalid',
    async () => {
      const own = await begun({ redirectUrl: DEEPLINK, codeChallenge: challengeOf(random()) });
      const { headers } = await own.comeBack(newAccount());
      const code = new URL(headers.get('location')!).searchParams.get('code');
      return own.signIn({ code, codeVerifier: random() });
    },
  ],
  [
    23,
    'an application shows its verifier in the place of a challenge',
    'oauth_challenge_invalid',
    () => initAuth({ codeChallenge: 'verifier', redirectUrl: DEEPLINK }),
  ],
  [
    24,
    'the address to come back to begins like that of a registered site',
    'oauth_redirect_not_allowed',
    () => initAuth({ redirectUrl: `${SITE}.evil.example/` }),
  ],
  [
    25,
    'the address to come back to is longer than the registered deeplink',
    'oauth_redirect_not_allowed',
    () => initAuth({ redirectUrl: `${DEEPLINK}/elsewhere` }),
  ],
];

/** Sign-ins that an attack itself needs are none that it won. */
let allowed = 0;
async function signedInOnce(signIn: () => Promise<Answered>): Promise<void> {
  expect((await signIn()).status).toBe(200);
  allowed += 1;
}

const sessions = async (): Promise<number> => {
  const sql = 'SELECT count(*)::int AS count FROM sessions WHERE environment_id = ANY($1)';
  const { sandbox, live } = world.ids.environments;
  return (await rowsOf<{ count: number }>(test, sql, [[sandbox, live]]))[0]!.count;
};

/** What came of an attack: the code of the refusal, and how many sessions it opened. */
async function outcome(run: Attack): Promise<{ code: string | undefined; won: number }> {
  const before = await sessions();
  allowed = 0;
  const { body } = await run();
  return { code: body?.code, won: (await sessions()) - before - allowed };
}

const numbered = (...numbers: number[]) => NEGATIVES.filter(([number]) => numbers.includes(number));

describe('an attack on a sign-in at a provider', () => {
  it.each(NEGATIVES)('%i: %s, and it is refused with %s', async (_, __, code, run) => {
    expect(await outcome(run)).toEqual({ code, won: 0 });
  });

  it('is one of twenty-five, each counted once', () => {
    expect(NEGATIVES.map(([number]) => number)).toEqual(Array.from({ length: 25 }, (_, at) => at + 1));
    expect(new Set(NEGATIVES.map(([, attack]) => attack)).size).toBe(25);
  });

  it('with a state and a code that were seen succeeds for one of a hundred who show them at once', async () => {
    const { own, code } = await waiting();
    const answers = await Promise.all(Array.from({ length: 100 }, () => own.signIn({ code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('leads nowhere but to the registered address where the provider refuses', async () => {
    const own = await begun({ redirectUrl: RETURN });
    const { headers } = await own.callback({ error: 'access_denied', redirect_uri: 'https://evil.example' });
    expect(headers.get('location')).toBe(`${RETURN}?error=access_denied&state=${own.state}`);
  });
});

describe('the table of attacks', () => {
  type Plant = [guard: string, plant: () => void, rows: number[]];
  const PLANTED: Plant[] = [
    [
      'the addresses to come back to are not compared',
      () => jest.spyOn(test.app.get(ReturnAddresses), 'allows').mockResolvedValue(true),
      [24, 25],
    ],
    [
      'the browser that began is forgotten',
      () => {
        const attempts = test.app.get(OauthAttemptsRepository);
        const find = attempts.find.bind(attempts);
        jest.spyOn(attempts, 'find').mockImplementation(async (...asked) => {
          const found = await find(...asked);
          return found && { ...found, browserHash: null };
        });
      },
      [9, 10, 11, 13, 14],
    ],
    [
      'the issuer of an answer is taken for the right one',
      () => {
        const attempts = test.app.get(OauthAttemptsRepository);
        const consume = attempts.consume.bind(attempts);
        jest.spyOn(attempts, 'consume').mockImplementation(async (...asked) => {
          const taken = await consume(...asked);
          return taken && { ...taken, issuer: peer.issuer };
        });
      },
      [17, 18],
    ],
  ];

  it.each(PLANTED)('finds out where %s', async (_, plant, rows) => {
    plant();
    const missed: number[] = [];
    for (const [number, , code, run] of numbered(...rows)) {
      const seen = await outcome(run);
      if (seen.code === code && seen.won === 0) missed.push(number);
    }
    expect(missed).toEqual([]);
  });
});
