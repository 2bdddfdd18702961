import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, createPublicKey, generateKeyPairSync, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import type { EnvironmentId } from '../../src/database/index.js';
import { SocialAccounts, type SocialBegin, type SocialFinish, type SocialIdentity } from '../../src/providers/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { World } from '../support/world.js';

const REDIRECT = 'https://id.example.com/redirect';
const OPENID = ['google', 'gitlab', 'okta'] as const;
const JSON_TYPE = { 'content-type': 'application/json' };
const P256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const APPLE_SECRET = P256.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const attempt = () => {
  const codeVerifier = randomBytes(32).toString('base64url');
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const [state, nonce] = [randomBytes(32).toString('base64url'), randomBytes(16).toString('base64url')];
  const begin = { redirectUri: REDIRECT, state, nonce, codeChallenge };
  return { begin, answer: { redirectUri: REDIRECT, state, nonce, codeVerifier } };
};

/** A provider of OpenID Connect that signs in whoever comes. */
class OpenIdProvider {
  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  static async start(): Promise<OpenIdProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const claims = { sub: 'u-1', email: 'ann@gmail.com', email_verified: true, name: 'Ann', hd: undefined };
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: 'client',
          client_secret: 'secret-of-the-client',
          redirect_uris: [REDIRECT],
          grant_types: ['authorization_code', 'refresh_token'],
        },
        {
          client_id: 'basic',
          client_secret: 'secret-of-the-client',
          redirect_uris: [REDIRECT],
          grant_types: ['authorization_code', 'refresh_token'],
        },
      ],
      clientAuthMethods: ['client_secret_post', 'client_secret_basic'],
      clientDefaults: { token_endpoint_auth_method: 'client_secret_post' },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      conformIdTokenClaims: false,
      pkce: { required: () => true },
      findAccount: async (_, id) => ({ accountId: id, claims: async () => ({ ...claims, sub: id }) }),
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/pass/${uid}` },
      loadExistingGrant: async (context) => {
        const grant = new context.oidc.provider.Grant({
          clientId: context.oidc.client!.clientId,
          accountId: context.oidc.session!.accountId!,
        });
        grant.addOIDCScope('openid email profile offline_access');
        await grant.save();
        return grant;
      },
    });
    const callback = provider.callback();
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (!request.url?.startsWith('/pass/')) return void callback(request, response);
      void provider.interactionFinished(request, response, { login: { accountId: 'u-1' } });
    });
    return new OpenIdProvider(server, issuer);
  }

  /** What a browser does: follows the redirects with its cookies, up to the address of the client. */
  async signIn(url: string): Promise<URLSearchParams> {
    const cookies = new Map<string, string>();
    let next = url;
    for (let hop = 0; hop < 10; hop++) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      next = new URL(response.headers.get('location') ?? '', next).href;
      if (next.startsWith(REDIRECT)) return new URL(next).searchParams;
    }
    throw new Error(`The provider did not come back: ${next}`);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

type Profile = [profile: unknown, expected: Partial<SocialIdentity>, token?: object, more?: Record<string, unknown>];

const person = (subject: string, more: Partial<SocialIdentity> = {}): Partial<SocialIdentity> => ({
  subject,
  emailAuthoritative: false,
  ...more,
});
const ann = { email: 'ann@example.com', emailVerified: true };
const unverified = { email: 'ann@example.com', emailVerified: false };

/** Profiles as the documentation of the vendors shows them, and what is read from them. */
const PROFILES: Record<string, Profile> = {
  bitbucket: [
    { uuid: '{b1}', display_name: 'Ann', username: 'ann', links: { avatar: { href: 'https://a.example/1' } } },
    person('{b1}', { ...ann, username: 'ann', photos: ['https://a.example/1'] }),
    {},
    { '/user/emails': { values: [{ email: 'ann@example.com', is_primary: true, is_confirmed: true }] } },
  ],
  github: [
    { id: 7, login: 'ann', name: 'Ann', email: 'shown@example.com' },
    person('7', { ...ann, username: 'ann', displayName: 'Ann' }),
    {},
    {
      '/user/emails': [
        { email: 'old@example.com', primary: false, verified: true },
        { email: 'ann@example.com', primary: true, verified: true },
      ],
    },
  ],
  coinbasesocial: [{ data: { id: 'c1', name: 'Ann', email: 'ann@example.com' } }, person('c1', unverified)],
  discord: [{ id: 'd1', username: 'ann', email: 'ann@example.com', verified: true, avatar: 'h' }, person('d1', ann)],
  epicgames: [{ sub: 'e1', preferred_username: 'ann' }, person('e1', { email: null, username: 'ann' })],
  facebook: [{ id: 'f1', name: 'Ann', email: 'ann@example.com' }, person('f1', unverified)],
  instagram: [{ user_id: 12, username: 'ann' }, person('12', { email: null, username: 'ann' })],
  linkedin: [{ sub: 'l1', name: 'Ann', email: 'ann@example.com', email_verified: true }, person('l1', ann)],
  twitch: [{ data: [{ id: 't1', login: 'ann', display_name: 'Ann', email: 'ann@example.com' }] }, person('t1', ann)],
  twitter: [{ data: { id: 'x1', name: 'Ann', username: 'ann' } }, person('x1', { email: null, username: 'ann' })],
  spotify: [{ id: 's1', display_name: 'Ann', email: 'ann@example.com', images: [] }, person('s1', unverified)],
  line: [{ sub: 'U1', name: 'Ann' }, person('U1', { email: null, displayName: 'Ann' })],
  kraken: [{ sub: 'k1', email: 'ann@example.com' }, person('k1', unverified)],
  tiktok: [{ data: { user: { open_id: 'o1', display_name: 'Ann' } } }, person('o1', { displayName: 'Ann' })],
  shopify: [
    {},
    person('9', { ...ann, displayName: 'Ann Doe' }),
    { associated_user: { id: 9, first_name: 'Ann', last_name: 'Doe', email: 'ann@example.com', email_verified: true } },
  ],
};

/** Vendors of plain OAuth, by the first part of the path. */
class OAuthVendors {
  readonly received: { vendor: string; form: URLSearchParams; authorization: string | undefined }[] = [];
  readonly profiles: { vendor: string; headers: IncomingMessage['headers'] }[] = [];
  /** Answers in place of the right ones, by the end of the path. */
  instead = new Map<string, (response: ServerResponse) => void>();

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<OAuthVendors> {
    const server = createServer((request, response) => void vendors.handle(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const vendors = new OAuthVendors(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return vendors;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const [, vendor = '', ...rest] = (request.url ?? '').split('?')[0]!.split('/');
    const path = `/${rest.join('/')}`;
    const [profile, , token, more] = PROFILES[vendor] ?? [{}, {}];
    const json = (value: unknown): void => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    const instead = this.instead.get(path);
    if (instead) return instead(response);
    if (path === '/token') {
      const form = new URLSearchParams(body);
      this.received.push({ vendor, form, authorization: request.headers.authorization });
      return json({ access_token: 'at', scope: 'granted', ...token });
    }
    if (request.headers.authorization !== 'Bearer at') return void response.writeHead(401).end();
    this.profiles.push({ vendor, headers: request.headers });
    return json(path === '/profile' ? profile : more?.[path]);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

describe('accounts at social providers', () => {
  let test: TestApp;
  let world: World;
  let openId: OpenIdProvider;
  let vendors: OAuthVendors;
  let accounts: SocialAccounts;

  beforeAll(async () => {
    [openId, vendors] = [await OpenIdProvider.start(), await OAuthVendors.start()];
    const of = (vendor: string): object => ({
      authorize: `${vendors.origin}/${vendor}/authorize`,
      token: `${vendors.origin}/${vendor}/token`,
      profile: vendor === 'shopify' ? undefined : `${vendors.origin}/${vendor}/profile`,
      api: `${vendors.origin}/${vendor}`,
    });
    const addresses = {
      ...Object.fromEntries(OPENID.map((name) => [name, { issuer: openId.issuer }])),
      ...Object.fromEntries(Object.keys(PROFILES).map((name) => [name, of(name)])),
      apple: { issuer: openId.issuer },
      steam: { authorize: `${vendors.origin}/steam/login`, profile: `${vendors.origin}/steam/players` },
    };
    test = await startTestApp({ env: { ROLE: 'api', PROVIDER_ADDRESSES: JSON.stringify(addresses) } });
    accounts = test.app.get(SocialAccounts);
    world = await World.create(test);
    const enable = async (provider: string, body: object): Promise<void> => {
      const path = world.path(`/settings/providers/type/${provider}`);
      const made = await world.owner.post<{ id: string }>(path, body, { expect: 201 });
      await world.owner.put(`/settings/providers/${made.body.id}/enable`, undefined, { expect: 200 });
    };
    const secret = { clientId: 'client', clientSecret: 'secret-of-the-client' };
    for (const name of ['google', 'gitlab']) await enable(name, secret);
    await enable('okta', { ...secret, clientId: 'basic', domain: 'acme.okta.example' });
    await enable('apple', { clientId: 'client', clientSecret: APPLE_SECRET, oauthKeyId: 'KID', oauthTeamId: 'TEAM' });
    for (const name of Object.keys(PROFILES)) {
      await enable(name, { ...secret, ...(name === 'shopify' && { commerceStore: 'acme' }) });
    }
    await enable('steam', {});
  });
  beforeEach(() => {
    vendors.instead.clear();
    vendors.received.length = 0;
    vendors.profiles.length = 0;
  });
  afterAll(async () => {
    await test.close();
    await openId.stop();
    await vendors.stop();
  });

  const beginAt = async (environmentId: EnvironmentId, provider: string, attempt: SocialBegin) =>
    (await accounts.open(environmentId, provider)).begin(attempt);
  const finishAt = async (environmentId: EnvironmentId, provider: string, answer: SocialFinish) =>
    (await accounts.open(environmentId, provider)).finish(answer);

  const reasonOf = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'admitted',
      (error: { details?: { payload?: { reason?: string } }; code?: string }) =>
        error.details?.payload?.reason ?? error.code,
    );

  it.each(['google', 'gitlab'])('of OpenID Connect are proven by a signed token: %s', async (provider) => {
    const { begin, answer } = attempt();
    const url = await beginAt(world.environmentId, provider, begin);
    expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256');
    expect(new URL(url).searchParams.get('access_type')).toBe(provider === 'google' ? 'offline' : null);
    const back = await openId.signIn(url);
    expect(back.get('state')).toBe(begin.state);
    const found = { code: back.get('code')!, iss: back.get('iss')! };
    const identity = await finishAt(world.environmentId, provider, { ...answer, ...found });
    expect(identity).toMatchObject({ subject: 'u-1', email: 'ann@gmail.com', emailVerified: true });
    expect(identity.emailAuthoritative).toBe(provider === 'google');
    expect(identity.tokens?.accessToken).toEqual(expect.any(String));
    expect(await reasonOf(finishAt(world.environmentId, provider, { ...answer, ...found }))).toBe('refused');
  });

  it('of OpenID Connect are refused with another nonce, verifier, issuer or code', async () => {
    const signIn = async (changes: object): Promise<unknown> => {
      const { begin, answer } = attempt();
      const back = await openId.signIn(await beginAt(world.environmentId, 'google', begin));
      const found = { code: back.get('code')!, iss: back.get('iss')! };
      return reasonOf(finishAt(world.environmentId, 'google', { ...answer, ...found, ...changes }));
    };
    expect(await signIn({})).toBe('admitted');
    expect(await signIn({ nonce: 'another' })).toBe('id_token');
    expect(await signIn({ codeVerifier: 'v'.repeat(43) })).toBe('refused');
    expect(await signIn({ iss: 'https://evil.example' })).toBe('id_token');
    expect(await signIn({ iss: undefined })).toBe('id_token');
    expect(await signIn({ code: 'guessed' })).toBe('refused');
    expect(await signIn({ redirectUri: 'https://id.example.com/other' })).toBe('refused');
  });

  it('of the vendor with a signed secret send one that its key has signed, and ask for a posted form', async () => {
    const { begin, answer } = attempt();
    const url = new URL(await beginAt(world.environmentId, 'apple', begin));
    expect(url.searchParams.get('response_mode')).toBe('form_post');
    expect(url.searchParams.get('scope')).toBe('openid name email');
    // The provider knows another secret and refuses this one: what was sent is looked at on the way.
    expect(await reasonOf(finishAt(world.environmentId, 'apple', { ...answer, code: 'c', iss: openId.issuer }))).toBe(
      'refused',
    );
  });

  it.each(Object.keys(PROFILES))('of plain OAuth are read from the profile: %s', async (provider) => {
    const { begin, answer } = attempt();
    const page = new URL(await beginAt(world.environmentId, provider, begin));
    expect(page.searchParams.get('state')).toBe(begin.state);
    expect(page.searchParams.get('redirect_uri')).toBe(REDIRECT);
    expect(page.searchParams.get(provider === 'tiktok' ? 'client_key' : 'client_id')).toBe('client');
    expect(page.searchParams.get('code_challenge')).toBe(provider === 'linkedin' ? null : begin.codeChallenge);
    const identity = await finishAt(world.environmentId, provider, { ...answer, code: 'c' });
    expect(identity).toMatchObject(PROFILES[provider]![1]);
    const { form, authorization } = vendors.received[0]!;
    expect(form.get('code_verifier')).toBe(provider === 'linkedin' ? null : answer.codeVerifier);
    const basic = `Basic ${Buffer.from('client:secret-of-the-client').toString('base64')}`;
    expect(authorization === basic || form.get('client_secret') === 'secret-of-the-client').toBe(true);
    if (provider === 'twitch') expect(vendors.profiles[0]!.headers['client-id']).toBe('client');
  });

  it.each<[what: string, reason: string, path: string, (response: ServerResponse) => void]>([
    ['a refusal', 'refused', '/token', (r) => r.writeHead(400, JSON_TYPE).end('{"error":"invalid_grant"}')],
    ['a redirect of the token', 'unreachable', '/token', (r) => r.writeHead(302, { location: '/' }).end()],
    ['a profile that is not shown', 'refused', '/profile', (r) => r.writeHead(403).end()],
    ['a profile without an account', 'profile', '/profile', (r) => r.writeHead(200, JSON_TYPE).end('{"name":"x"}')],
    ['a profile of 300 KB', 'refused', '/profile', (r) => r.writeHead(200, JSON_TYPE).end(' '.repeat(300_000))],
    ['a page in place of the profile', 'refused', '/profile', (r) => r.writeHead(200).end('<html>')],
    ['a broken connection', 'unreachable', '/profile', (r) => r.destroy()],
  ])('are not proven by %s', async (_, reason, path, answer) => {
    vendors.instead.set(path, answer);
    expect(await reasonOf(finishAt(world.environmentId, 'github', { ...attempt().answer, code: 'c' }))).toBe(reason);
  });

  it('are not available where the provider is off, unknown or has a door of its own', async () => {
    const other = await World.create(test);
    for (const provider of ['github', 'nobody', 'telegram', 'farcaster', '__proto__']) {
      const code = await reasonOf(beginAt(other.environmentId, provider, attempt().begin));
      expect([provider, code]).toEqual([provider, 'provider_not_available']);
    }
  });

  it.each(['github', 'bitbucket'])('of %s tell no address while their list is unavailable', async (provider) => {
    vendors.instead.set('/user/emails', (r) => r.writeHead(502).end());
    const finish = () => finishAt(world.environmentId, provider, { ...attempt().answer, code: 'c' });
    expect(await finish()).toMatchObject({ email: null, emailVerified: false, untold: ['email'] });
    vendors.instead.set('/user/emails', (r) => r.destroy());
    expect(await finish()).toMatchObject({ email: null, emailVerified: false, untold: ['email'] });
    vendors.instead.clear();
    expect(await finish()).toMatchObject({ email: 'ann@example.com', untold: [] });
  });

  describe('of OpenID 2.0', () => {
    const answerTo = (begin: { state: string }, changes: Record<string, string> = {}): string => {
      const id = 'https://steamcommunity.com/openid/id/76561198000000000';
      const names = ['op_endpoint', 'claimed_id', 'identity', 'return_to', 'response_nonce', 'assoc_handle'];
      return new URLSearchParams({
        'openid.ns': 'http://specs.openid.net/auth/2.0',
        'openid.mode': 'id_res',
        'openid.op_endpoint': `${vendors.origin}/steam/login`,
        'openid.claimed_id': id,
        'openid.identity': id,
        'openid.return_to': `${REDIRECT}?state=${begin.state}`,
        'openid.response_nonce': '2026-01-01T00:00:00Zn',
        'openid.assoc_handle': 'h',
        'openid.signed': names.join(','),
        'openid.sig': 's',
        ...changes,
      }).toString();
    };

    it('are proven by the provider, which is asked about its answer', async () => {
      vendors.instead.set('/login', (r) => r.end('ns:http://specs.openid.net/auth/2.0\nis_valid:true\n'));
      const { begin, answer } = attempt();
      const page = new URL(await beginAt(world.environmentId, 'steam', begin));
      expect(page.searchParams.get('openid.return_to')).toBe(`${REDIRECT}?state=${begin.state}`);
      const finish = (code: string) => finishAt(world.environmentId, 'steam', { ...answer, code });
      expect(await finish(answerTo(begin))).toMatchObject({ subject: '76561198000000000', email: null, tokens: null });
      const wrong: Record<string, string>[] = [
        { 'openid.mode': 'cancel' },
        { 'openid.op_endpoint': 'https://evil.example/login' },
        { 'openid.claimed_id': 'https://evil.example/openid/id/76561198000000000' },
        { 'openid.claimed_id': 'https://steamcommunity.com/openid/id/1' },
        { 'openid.return_to': `https://evil.example/redirect?state=${begin.state}` },
        { 'openid.return_to': `${REDIRECT}?state=another` },
        { 'openid.signed': 'op_endpoint,identity,return_to,response_nonce,assoc_handle' },
        { 'openid.ns': 'http://openid.net/signon/1.1' },
        { 'openid.claimed.id': 'https://steamcommunity.com/openid/id/1' },
        { 'openid.claimed id': 'https://steamcommunity.com/openid/id/1' },
      ];
      for (const changes of wrong) expect(await reasonOf(finish(answerTo(begin, changes)))).toBe('id_token');
      expect(await reasonOf(finish(`${answerTo(begin)}&openid.claimed_id=x`))).toBe('id_token');
      vendors.instead.set('/login', (r) => r.end('is_valid:false\n'));
      expect(await reasonOf(finish(answerTo(begin)))).toBe('refused');
    });

    it('tell names with a key of the API only, and while that is available', async () => {
      const keyed = await World.create(test);
      const path = keyed.path('/settings/providers/type/steam');
      const made = await keyed.owner.post<{ id: string }>(path, { clientSecret: 'key-of-the-api' }, { expect: 201 });
      await keyed.owner.put(`/settings/providers/${made.body.id}/enable`, undefined, { expect: 200 });
      vendors.instead.set('/login', (r) => r.end('is_valid:true\n'));
      const { begin, answer } = attempt();
      const shownTo = (to: World) => finishAt(to.environmentId, 'steam', { ...answer, code: answerTo(begin) });
      const told = (players: object[]): void =>
        void vendors.instead.set('/players', (r) => r.end(JSON.stringify({ response: { players } })));
      const untold = { displayName: null, photos: [], untold: ['displayName', 'photo'] };
      told([{ personaname: 'Ann', avatarfull: 'https://a.example/1' }]);
      const shown = { displayName: 'Ann', photos: ['https://a.example/1'], untold: [] };
      expect([await shownTo(keyed), await shownTo(world)]).toMatchObject([shown, untold]);
      told([]);
      expect(await shownTo(keyed)).toMatchObject(untold);
      vendors.instead.set('/players', (r) => r.writeHead(503).end());
      expect(await shownTo(keyed)).toMatchObject(untold);
    });
  });

  it('prove a signed secret with the key of the team', async () => {
    const { signedClientSecret } = await import('../../src/providers/social/signed-client-secret.js');
    const configuration = { clientId: 'client', oauthKeyId: 'KID', oauthTeamId: 'TEAM' };
    const now = new Date('2026-11-22T00:00:00Z');
    const secret = signedClientSecret({ configuration, secret: APPLE_SECRET, now }, 'https://appleid.apple.com');
    const [head = '', body = '', signature = ''] = secret.split('.');
    const key = { key: createPublicKey(P256.privateKey), dsaEncoding: 'ieee-p1363' as const };
    expect(verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
    expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toEqual({
      iss: 'TEAM',
      iat: now.getTime() / 1_000,
      exp: now.getTime() / 1_000 + 300,
      aud: 'https://appleid.apple.com',
      sub: 'client',
    });
  });
});
