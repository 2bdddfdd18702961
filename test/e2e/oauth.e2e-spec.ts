import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { DevInbox, ProviderUrls } from '../../src/providers/index.js';
import { Accounts } from '../support/accounts.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { OauthVendor, type VendorAccount } from '../support/oauth-vendor.js';
import { challengeOf, newAccount, OauthVisitor, random, type Refused, type Signed } from '../support/oauth-visitor.js';
import { waitingForMe } from '../support/lock-waits.js';
import { OpenIdPeer } from '../support/openid-peer.js';
import { withClient } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { eventsOf, fillRows, rowsOf } from '../support/rows.js';
import { countStatements } from '../support/statements.js';
import { World, newEmail } from '../support/world.js';

const SITE = 'https://app.example.com';
const RETURN = `${SITE}/signed-in`;
const DEEPLINK = 'myapp://signed-in';

let test: TestApp;
let world: World;
let vendor: OauthVendor;
let peer: OpenIdPeer;

beforeAll(async () => {
  [vendor, peer] = [await OauthVendor.start(), await OpenIdPeer.start()];
  const plain = { github: vendor.addresses, discord: vendor.addresses };
  const addresses = { ...plain, google: { issuer: peer.issuer }, apple: { issuer: peer.issuer } };
  test = await startTestApp({ env: { ROLE: 'api', PROVIDER_ADDRESSES: JSON.stringify(addresses) } });
  world = await World.create(test);
  peer.serve([test.app.get(ProviderUrls).of(world.environmentId, 'google').redirectUrl!]);
  const client = { clientId: 'client', clientSecret: 'secret-of-the-client' };
  await enable('github', client);
  await enable('discord', client);
  await enable('google', client);
  await world.owner.post(world.path('/origins'), { origin: SITE }, { expect: 201 });
  await world.owner.post(world.path('/deeplinkUrls'), { url: DEEPLINK }, { expect: 201 });
});

afterAll(async () => {
  await test.close();
  await vendor.stop();
  await peer.stop();
});

async function enable(provider: string, body: object): Promise<string> {
  const path = world.path(`/settings/providers/type/${provider}`);
  const { id } = (await world.owner.post<{ id: string }>(path, body, { expect: 201 })).body;
  await world.owner.put(`/settings/providers/${id}/enable`, undefined, { expect: 200 });
  return id;
}

const at = (rest: string, provider = 'github'): string => world.sdk(`/providers/${provider}${rest}`);

class Visitor extends OauthVisitor {
  constructor() {
    super(world, vendor);
  }
}

/** From beginning to end. */
async function signInAs(account: VendorAccount) {
  const visitor = await new Visitor().begin();
  expect((await visitor.comeBack(account)).status).toBe(200);
  return visitor.finish();
}

interface GoogleAccount {
  sub: string;
  email: string;
  email_verified: boolean;
}

/** Somebody who is back from the provider, with the code in hand. */
async function visited(account: GoogleAccount): Promise<Visitor> {
  const visitor = await new Visitor().begin({}, 'google');
  const { headers } = await visitor.login('', 'google');
  peer.account = account;
  const back = await peer.visit(headers.get('location')!);
  const { state: _, ...parameters } = Object.fromEntries(back.searchParams);
  await visitor.callback(parameters, 'google');
  return visitor;
}

const signInAtGoogle = async (account: GoogleAccount) => (await visited(account)).finish('google');

describe('a sign-in at a provider', () => {
  it('locks the user before the tokens, as linking the same account does, so that the two never deadlock', async () => {
    const account = newAccount();
    const { id } = (await signInAs(account)).body.user;
    const visitor = await new Visitor().begin();
    await visitor.comeBack(account);
    const { status } = await withClient(test.databaseUrl, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [id]);
      const asked = visitor.finish();
      await eventually('the sign-in waits', async () => (await waitingForMe(client, 'users')) > 0);
      await client.query('SELECT FROM oauth_tokens WHERE user_id = $1 FOR UPDATE NOWAIT', [id]);
      await client.query('COMMIT');
      return asked;
    });
    expect(status).toBe(200);
  });

  it('goes from a browser to a provider of OpenID Connect and back to the application', async () => {
    const visitor = await new Visitor().begin({ redirectUrl: RETURN }, 'google');
    const left = await visitor.login('', 'google');
    expect(left.status).toBe(302);
    const page = new URL(left.headers.get('location')!);
    expect(page.origin).toBe(peer.issuer);
    expect(page.searchParams.get('code_challenge_method')).toBe('S256');
    expect(page.searchParams.get('nonce')).toMatch(/^[\w-]{43}$/);
    const sub = random();
    peer.account = { sub, email: 'ann@elsewhere.example', email_verified: true };
    const back = await peer.visit(page.href);
    const returned = await visitor.callback(Object.fromEntries(back.searchParams), 'google');
    expect(returned.status).toBe(302);
    const address = new URL(returned.headers.get('location')!);
    expect(address.origin + address.pathname).toBe(RETURN);
    expect(address.searchParams.get('state')).toBe(visitor.state);
    const { status, body } = await visitor.signIn({ code: address.searchParams.get('code') }, 'google');
    expect(status).toBe(200);
    expect(body.user.verifiedCredentials).toEqual([
      expect.objectContaining({ format: 'oauth', oauth_provider: 'google', oauth_account_id: sub }),
    ]);
    expect(body.user.email ?? null).toBeNull();
  });

  it('is bound to the verifier of a client that keeps no cookies, whose code goes to its address alone', async () => {
    const visitor = new Visitor();
    const codeVerifier = random();
    const codeChallenge = challengeOf(codeVerifier);
    await visitor.begin({ redirectUrl: DEEPLINK, codeChallenge });
    expect(visitor.cookie).toBe('');
    const { body } = await world.anonymous.get<{ url: string }>(at(`/loginUrl?state=${visitor.state}`), {
      expect: 200,
    });
    expect(new URL(body.url).searchParams.get('code_challenge')).toBe(codeChallenge);
    const back = await visitor.comeBack(newAccount());
    const code = new URL(back.headers.get('location')!).searchParams.get('code');
    expect((await visitor.result()).body).toEqual({ status: 'completed' });
    expect((await visitor.signIn({ code })).body.code).toBe('oauth_code_invalid');
    expect((await visitor.signIn({ code, codeVerifier: random() })).body.code).toBe('oauth_code_invalid');
    expect((await visitor.signIn({ code, codeVerifier })).status).toBe(200);
    expect(vendor.forms.at(-1)!.get('code_verifier')).toBe(codeVerifier);
  });

  it('goes to the provider with the parameters of its settings, whatever a client adds', async () => {
    const visitor = await new Visitor().begin();
    const added = new URLSearchParams({ client_id: 'other', redirect_uri: RETURN, scope: 'all', prompt: 'consent' });
    const sent = [
      await visitor.login(`?state=${visitor.state}`),
      await visitor.login(`?state=${visitor.state}&${added.toString()}`),
    ];
    const [plain, extended] = sent.map(({ headers }) => headers.get('location'));
    expect(plain).toContain('client_id=');
    expect(extended).toBe(plain);
  });

  it('keeps what is known of an account while the provider does not tell it, and no longer', async () => {
    const [account, email] = [newAccount(), newEmail()];
    const shownOf = async (more: object) => {
      const { body } = await signInAs({ ...account, ...more });
      return body.user.verifiedCredentials[0];
    };
    expect(await shownOf({ email, login: 'ann' })).toMatchObject({ oauth_emails: [email], oauth_username: 'ann' });
    const later = await shownOf({ areEmailsUntold: true, login: 'bea' });
    expect(later).toMatchObject({ oauth_emails: [email], oauth_username: 'bea' });
    expect(await shownOf({})).toMatchObject({ oauth_emails: [] });
  });

  it('is polled by the browser that began, and finds the same user again', async () => {
    const account = newAccount();
    const visitor = await new Visitor().begin();
    expect((await visitor.result()).body).toEqual({ status: 'pending' });
    expect((await visitor.comeBack(account)).headers.get('content-type')).toMatch(/^text\/html/);
    const first = await visitor.finish();
    const second = await signInAs({ ...account, login: 'renamed' });
    expect(second.body.user.id).toBe(first.body.user.id);
  });

  it.each([
    ['a NUL', '\u0000'],
    ['half a character', '\ud83c'],
  ])('takes an account of whom the provider says %s, and keeps what can be kept', async (_, part) => {
    const said = { login: `ann${part}`, name: `Ann${part}`, email: `ann${part}@example.com` };
    const { status, body } = await signInAs(newAccount(said));
    expect(status).toBe(200);
    const [account] = body.user.verifiedCredentials as {
      public_identifier?: string;
      oauth_username?: string;
      oauth_display_name?: string;
    }[];
    expect([account?.oauth_username, account?.oauth_display_name?.slice(0, 3)]).toEqual([undefined, 'Ann']);
    expect(account?.public_identifier).toBe(account?.oauth_display_name);
  });

  it('takes tokens of whatever length of life', async () => {
    vendor.expiresIn = 1e18;
    try {
      expect((await signInAs(newAccount())).status).toBe(200);
    } finally {
      vendor.expiresIn = null;
    }
  });

  it('begins on a page where a device needs one', async () => {
    const state = random();
    const query = new URLSearchParams({ state, redirect_uri: RETURN }).toString();
    const { headers, body } = await world.anonymous.get<string>(at(`/authorizeHtml?${query}`), { expect: 200 });
    expect(headers.get('set-cookie')).toMatch(/^__Host-gatehouse-oauth-.*; Path=\/; Secure; HttpOnly; SameSite=None/);
    expect(body).toContain(`${vendor.origin}/authorize?`);
    expect((await world.anonymous.get<Refused>(at('/authorizeHtml?scope=repo'))).body.code).toBe('oauth_scope_fixed');
  });

  it('goes on where the page is loaded again in its browser, and begins by no HEAD', async () => {
    const state = random();
    const path = at(`/authorizeHtml?${new URLSearchParams({ state, redirect_uri: RETURN }).toString()}`);
    const load = (cookie = '', page = path) =>
      world.anonymous.get<string & Refused>(page, { headers: cookie ? { cookie } : {} });
    const inUse = { status: 422, body: { code: 'oauth_state_in_use' } };
    expect((await fetch(`${test.url}/api/v0${path}`, { method: 'HEAD' })).status).toBe(405);
    const first = await load();
    const cookie = first.headers.getSetCookie()[0]!.split(';')[0]!;
    const again = await load(cookie);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toBe(first.body);
    const elsewhere = path.replace(encodeURIComponent(RETURN), encodeURIComponent(SITE));
    expect(await load()).toMatchObject(inUse);
    expect(await load(cookie, elsewhere)).toMatchObject(inUse);
    const answer = at(`/redirect?${new URLSearchParams({ state, code: random() }).toString()}`);
    await world.anonymous.get(answer, { headers: { cookie }, expect: 302 });
    expect(await load(cookie)).toMatchObject(inUse);
  });

  it('comes back as a posted form from the provider that posts', async () => {
    const key = (await import('node:crypto')).generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const clientSecret = key.export({ type: 'pkcs8', format: 'pem' }).toString();
    await enable('apple', { clientId: 'client', clientSecret, oauthKeyId: 'KID', oauthTeamId: 'TEAM' });
    const visitor = await new Visitor().begin({ redirectUrl: RETURN }, 'apple');
    const post = (form: string, cookie: string, type = 'application/x-www-form-urlencoded') =>
      world.anonymous.post<Refused>(at('/redirect', 'apple'), undefined, {
        raw: form,
        headers: { 'content-type': type, cookie },
      });
    const form = new URLSearchParams({ state: visitor.state, code: random(), user: '{"name":{}}' }).toString();
    expect((await post(`${form}&state=twice`, visitor.cookie)).status).toBe(400);
    expect((await post(form, visitor.cookie, 'text/plain')).body.code).toBe('unsupported_media_type');
    expect((await post(`${form}&user=${'x'.repeat(32_768)}`, visitor.cookie)).body.code).toBe('payload_too_large');
    expect((await post(form, '')).body.code).toBe('oauth_attempt_elsewhere');
    const { status, headers } = await post(form, visitor.cookie);
    expect(status).toBe(302);
    expect(new URL(headers.get('location')!).searchParams.get('code')).toMatch(/^[\w-]{43}$/);
  });

  it('of a hundred calls with one code at once, admits one', async () => {
    const visitor = await new Visitor().begin();
    await visitor.comeBack(newAccount());
    const { code } = (await visitor.result()).body;
    const answers = await Promise.all(Array.from({ length: 100 }, () => visitor.signIn({ code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set([undefined, 'oauth_attempt_unknown']));
  });

  it('that is the first of an account, fifty times at once, makes one user and one event', async () => {
    const account = newAccount();
    const visitors: { visitor: Visitor; code: string }[] = [];
    for (let n = 0; n < 50; n += 1) {
      const visitor = await new Visitor().begin();
      await visitor.comeBack(account);
      visitors.push({ visitor, code: (await visitor.result()).body.code });
    }
    const answers = await Promise.all(visitors.map(({ visitor, code }) => visitor.signIn({ code })));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    const [userId, ...others] = new Set(answers.map(({ body }) => body.user.id));
    expect(others).toEqual([]);
    expect((await eventsOf(test, world.environmentId, userId)).map(({ name }) => name)).toEqual(['user.created']);
  });

  it('leaves neither state, cookie nor verifier in the database', async () => {
    const visitor = await new Visitor().begin();
    await visitor.comeBack(newAccount());
    const rows = await rowsOf(test, 'SELECT a::text AS row FROM oauth_attempts a WHERE environment_id = $1', [
      world.environmentId,
    ]);
    const text = JSON.stringify(rows);
    const key = visitor.cookie.split('=')[1]!.split('.')[0]!;
    expect(rows.length).toBeGreaterThan(0);
    for (const secret of [visitor.state, key, (await visitor.result()).body.code]) expect(text).not.toContain(secret);
  });
});

describe('a sign-in at a provider is refused', () => {
  const codeOf = (answer: { body: Refused }): string | undefined => answer.body.code;
  const initAuth = async (body: object, provider?: string): Promise<string | undefined> =>
    codeOf(await world.anonymous.post<Refused>(at('/initAuth', provider), { state: random(), ...body }));

  it.each([
    ['without a state', { state: '' }, 'oauth_state_weak'],
    ['with a state of 128 bits', { state: randomBytes(16).toString('base64url') }, 'oauth_state_weak'],
    ['with a state that is no base64url', { state: `${random()} ` }, 'oauth_state_weak'],
    ['to another site', { redirectUrl: 'https://evil.example/signed-in' }, 'oauth_redirect_not_allowed'],
    ['to a site whose name begins alike', { redirectUrl: `${SITE}.evil.example/` }, 'oauth_redirect_not_allowed'],
    ['to the site below another name', { redirectUrl: `https://x.app.example.com/` }, 'oauth_redirect_not_allowed'],
    ['to the site on another port', { redirectUrl: `${SITE}:8443/` }, 'oauth_redirect_not_allowed'],
    ['to the site without encryption', { redirectUrl: RETURN.replace('https', 'http') }, 'oauth_redirect_not_allowed'],
    ['to a user at the site', { redirectUrl: 'https://app.example.com@evil.example/' }, 'oauth_redirect_not_allowed'],
    ['to a user of the site', { redirectUrl: 'https://a@app.example.com/' }, 'oauth_redirect_not_allowed'],
    ['to a path with a backslash', { redirectUrl: 'https:\\\\app.example.com' }, 'oauth_redirect_not_allowed'],
    ['to a fragment of the site', { redirectUrl: `${RETURN}#x` }, 'oauth_redirect_not_allowed'],
    ['to an application that is not registered', { redirectUrl: 'other://signed-in' }, 'oauth_redirect_not_allowed'],
    ['to a deeplink with more than is registered', { redirectUrl: `${DEEPLINK}/x` }, 'oauth_redirect_not_allowed'],
    ['to a script', { redirectUrl: 'javascript:alert(1)' }, 'oauth_redirect_not_allowed'],
    ['with a challenge and no address', { codeChallenge: challengeOf('v') }, 'oauth_challenge_invalid'],
    ['with a plain challenge', { codeChallenge: 'verifier', redirectUrl: RETURN }, 'oauth_challenge_invalid'],
    ['with a single sign-on that there is not', { ssoProviderId: crypto.randomUUID() }, 'sso_not_available'],
  ])('that begins %s', async (_, body, code) => {
    expect(await initAuth(body)).toBe(code);
  });

  it.each(['gitlab', 'telegram', 'emailOnly', 'nobody', '__proto__'])('at a provider that is off: %s', async (name) => {
    expect(await initAuth({}, name)).toBe('provider_not_available');
    expect(codeOf(await new Visitor().signIn({ code: 'code-1' }, name))).toBe('provider_not_available');
    expect(codeOf(await new Visitor().login('', name))).toBe('provider_not_available');
  });

  it('with a state that is taken', async () => {
    const visitor = await new Visitor().begin();
    expect(await initAuth({ state: visitor.state })).toBe('oauth_state_in_use');
  });

  it('when it leaves without having begun, or from another browser', async () => {
    const visitor = await new Visitor().begin();
    expect(codeOf(await new Visitor().login())).toBe('oauth_attempt_unknown');
    expect(codeOf(await new Visitor().login(`?state=${random()}`))).toBe('oauth_attempt_unknown');
    expect(codeOf(await new Visitor().login(`?state=${visitor.state}`))).toBe('oauth_attempt_elsewhere');
    expect((await visitor.login()).status).toBe(302);
  });

  it('with a page that a person can read, in a browser, and with JSON for everyone else', async () => {
    for (const path of ['/login', '/redirect?code=x', '/authorizeHtml', `/redirect?code=12345&state=${random()}`]) {
      const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
      const shown = await world.anonymous.get<string>(at(path), { headers });
      expect([400, 422]).toContain(shown.status);
      expect(shown.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(shown.headers.get('content-security-policy')).toContain("default-src 'self'");
      expect(shown.headers.get('cache-control')).toBe('no-store');
      expect(shown.headers.get('vary')).toContain('Accept');
      expect(shown.body).toContain(shown.status === 400 ? 'validation_failed' : 'There is no sign-in with this state.');
      const asked = await world.anonymous.get<Refused>(at(path), { headers: { accept: '*/*' } });
      expect(asked.body.code).toBe(shown.status === 400 ? 'validation_failed' : 'oauth_attempt_unknown');
    }
    const { headers } = await world.anonymous.get(world.sdk('/users'), { headers: { accept: 'text/html' } });
    expect(headers.get('content-type')).toContain('application/json');
  });

  it('when the answer comes to another browser, provider or environment, or without a state', async () => {
    const visitor = await new Visitor().begin({ redirectUrl: RETURN });
    const { cookie, state } = visitor;
    const other = await new Visitor().begin();
    const call = (path: string, own: string) => world.anonymous.get<Refused>(path, { headers: { cookie: own } });
    const query = `?state=${state}&code=code-of-ann`;
    expect(codeOf(await call(at(`/redirect${query}`), ''))).toBe('oauth_attempt_elsewhere');
    expect(codeOf(await call(at(`/redirect${query}`), other.cookie))).toBe('oauth_attempt_elsewhere');
    expect(codeOf(await call(at(`/redirect${query}`, 'google'), cookie))).toBe('oauth_attempt_unknown');
    expect(codeOf(await call(at('/redirect?code=code-of-ann'), cookie))).toBe('oauth_attempt_unknown');
    expect((await call(at(`/redirect${query}&state=${state}`), cookie)).status).toBe(400);
    const live = world.ids.environments.live;
    const there = await call(world.sdk(`/providers/github/redirect${query}`, live), cookie);
    expect(codeOf(there)).toBe('oauth_attempt_unknown');
    expect((await visitor.result()).body).toEqual({ status: 'pending' });
  });

  it('when the provider answers twice', async () => {
    const visitor = await new Visitor().begin();
    await visitor.comeBack(newAccount());
    expect(codeOf(await visitor.comeBack(newAccount()))).toBe('oauth_already_answered');
    expect(codeOf(await visitor.callback({ error: 'access_denied' }))).toBe('oauth_already_answered');
  });

  it('when the provider refuses, and goes back to the address that it began with and no other', async () => {
    const visitor = await new Visitor().begin({ redirectUrl: RETURN });
    const { headers } = await visitor.callback({ error: 'access_denied', redirect_uri: 'https://evil.example' });
    expect(headers.get('location')).toBe(`${RETURN}?error=access_denied&state=${visitor.state}`);
    expect((await visitor.result()).body).toEqual({ status: 'completed', error: 'access_denied' });
    const { body } = await visitor.signIn({ code: 'code-1' });
    expect([body.code, body.payload?.error]).toEqual(['oauth_refused_by_provider', 'access_denied']);
    const lost = await new Visitor().callback({ error: 'access_denied' });
    expect([lost.status, lost.headers.get('location')]).toEqual([422, null]);
  });

  it('when the person declines at the provider whose protocol has a mode in place of error codes', async () => {
    await enable('steam', {});
    for (const [mode, error] of [
      ['cancel', 'access_denied'],
      ['error', 'invalid_response'],
    ] as const) {
      const visitor = await new Visitor().begin({ redirectUrl: RETURN }, 'steam');
      const { headers } = await visitor.callback({ 'openid.mode': mode }, 'steam');
      expect(headers.get('location')).toBe(`${RETURN}?error=${error}&state=${visitor.state}`);
      expect(codeOf(await visitor.signIn({ code: 'code-1' }, 'steam'))).toBe('oauth_refused_by_provider');
    }
  });

  it('when it finishes before the answer, with another code, elsewhere, or at another provider', async () => {
    const visitor = await new Visitor().begin();
    expect(codeOf(await visitor.signIn({ code: 'code-1' }))).toBe('oauth_answer_missing');
    await visitor.comeBack(newAccount());
    const { code } = (await visitor.result()).body;
    const stranger = await new Visitor().begin();
    const elsewhere = await world.anonymous.post<Refused>(
      at('/signIn'),
      { state: visitor.state, code },
      { headers: { cookie: stranger.cookie } },
    );
    expect(codeOf(elsewhere)).toBe('oauth_attempt_elsewhere');
    const poll = await world.anonymous.post<Refused>(at('/oauthResult'), { state: visitor.state });
    expect(codeOf(poll)).toBe('oauth_attempt_elsewhere');
    expect(codeOf(await visitor.signIn({}))).toBe('oauth_code_invalid');
    expect(codeOf(await visitor.signIn({ code: random() }))).toBe('oauth_code_invalid');
    expect(codeOf(await visitor.signIn({ code }, 'google'))).toBe('oauth_attempt_unknown');
    expect((await visitor.signIn({ code })).status).toBe(200);
    expect(codeOf(await visitor.signIn({ code }))).toBe('oauth_attempt_unknown');
  });

  it('ten minutes after it began', async () => {
    const visitor = await new Visitor().begin();
    await visitor.comeBack(newAccount());
    const { code } = (await visitor.result()).body;
    await fillRows(test, "UPDATE oauth_attempts SET expires_at = now() - interval '1 second' WHERE state_hash = $1", [
      createHash('sha256').update(visitor.state).digest(),
    ]);
    expect(codeOf(await visitor.result())).toBe('oauth_attempt_expired');
    expect(codeOf(await visitor.signIn({ code }))).toBe('oauth_attempt_expired');
    expect(codeOf(await visitor.login())).toBe('oauth_attempt_expired');
  });

  it('when the provider does not know the code', async () => {
    const visitor = await new Visitor().begin();
    await visitor.callback({ code: 'code-that-nobody-gave' });
    expect(codeOf(await visitor.finish())).toBe('social_sign_in_failed');
  });

  it('when the answer names another issuer, or none where the provider always does', async () => {
    for (const iss of ['https://evil.example', '']) {
      const visitor = await new Visitor().begin({}, 'google');
      const { headers } = await visitor.login('', 'google');
      peer.account = { sub: random() };
      const back = await peer.visit(headers.get('location')!);
      await visitor.callback({ code: back.searchParams.get('code')!, ...(iss && { iss }) }, 'google');
      expect(codeOf(await visitor.finish('google'))).toBe('social_sign_in_failed');
    }
  });

  it("with the code of somebody else's attempt put in place of one's own", async () => {
    const victim = await new Visitor().begin({}, 'google');
    peer.account = { sub: random() };
    const back = await peer.visit((await victim.login('', 'google')).headers.get('location')!);
    const thief = await new Visitor().begin({}, 'google');
    const stolen = { code: back.searchParams.get('code')!, iss: back.searchParams.get('iss')! };
    await thief.callback(stolen, 'google');
    expect(codeOf(await thief.finish('google'))).toBe('social_sign_in_failed');
  });
});

describe('the address of an account at a provider', () => {
  const gmail = (): string => `ann.${randomBytes(6).toString('hex')}@gmail.com`;

  it('is told once that it joined somebody, however many sign-ins of it come at once', async () => {
    const email = gmail();
    const known = await world.signIn(email);
    const { userId } = known;
    const account = { sub: random(), email, email_verified: true };
    const visitors: Visitor[] = [];
    for (let n = 0; n < 5; n += 1) visitors.push(await visited(account));
    const answers = await Promise.all(visitors.map((visitor) => visitor.finish('google')));
    expect(answers.map(({ body }) => body.user.id)).toEqual(Array<string>(5).fill(userId));
    const told = test.app.get(DevInbox).entries.filter(({ to, code }) => to === email && code === null);
    expect(told).toHaveLength(1);
    // Who has joined signs nobody out, and must not be taken to have done so.
    expect(await new Accounts(world).isLive(known.jwt)).toBe(!told[0]!.text.includes('signed out'));
  });

  it('joins the user who proved it where the provider itself gives it out', async () => {
    const email = gmail();
    const { userId } = await world.signIn(email);
    const { body } = await signInAtGoogle({ sub: random(), email, email_verified: true });
    expect(body.user.id).toBe(userId);
    expect(body.user.verifiedCredentials.map(({ format }) => format).sort()).toEqual(['email', 'oauth']);
  });

  it('is told at every address that the user had, where it brings a way in that is new to them', async () => {
    const accounts = new Accounts(world);
    const [email, other] = [gmail(), newEmail()];
    const { jwt } = await world.signIn(email);
    expect((await accounts.verifyEmail(jwt, other)).status).toBe(200);
    const told = (address: string): number =>
      accounts.mailsTo(address).filter((subject) => subject.includes('sign-in method')).length;
    const before = [email, other].map(told);
    const account = { sub: random(), email, email_verified: true };
    await signInAtGoogle(account);
    expect([email, other].map(told)).toEqual(before.map((times) => times + 1));
    await signInAtGoogle(account);
    const gained = gmail();
    await signInAtGoogle({ ...account, email: gained });
    expect([email, other, gained].map(told)).toEqual([...before.map((times) => times + 2), 0]);
  });

  it('becomes that of a new user, who is found by a code from then on', async () => {
    const email = gmail();
    const { body } = await signInAtGoogle({ sub: random(), email, email_verified: true });
    expect(body.user.email).toBe(email);
    expect((await world.signIn(email)).userId).toBe(body.user.id);
  });

  it.each([
    ['not verified', (): string => gmail(), false],
    ['of another mail provider', (): string => newEmail(), true],
  ])('joins nobody when it is %s', async (_, address, verified) => {
    const email = address();
    const { userId } = await world.signIn(email);
    const { body } = await signInAtGoogle({ sub: random(), email, email_verified: verified });
    expect(body.user.id).not.toBe(userId);
    expect(body.user.email ?? null).toBeNull();
  });

  it('joins nobody at a provider that gives out no addresses, verified or not', async () => {
    const email = newEmail();
    const { userId } = await world.signIn(email);
    const { body } = await signInAs(newAccount({ email }));
    expect(body.user.id).not.toBe(userId);
  });

  it('finds the user to whom an API call had given it', async () => {
    const email = gmail();
    const { body: planted } = await world.api.post<{ user: { id: string } }>(world.path('/users'), { email });
    const { body } = await signInAtGoogle({ sub: random(), email, email_verified: true });
    expect(body.user.id).toBe(planted.user.id);
  });

  it('refuses a first sign-in when API calls gave it to two users', async () => {
    const email = gmail();
    for (let n = 0; n < 2; n += 1) await world.api.post(world.path('/users'), { email }, { expect: 201 });
    const { status, body } = await signInAtGoogle({ sub: random(), email, email_verified: true });
    expect([status, body.code]).toEqual([422, 'ambiguous_identifier']);
  });

  it('does not lock the owner of an account out when it has become that of another user', async () => {
    const [sub, email] = [random(), gmail()];
    const first = await signInAtGoogle({ sub, email: gmail(), email_verified: true });
    const { userId } = await world.signIn(email);
    const { status, body } = await signInAtGoogle({ sub, email, email_verified: true });
    expect([status, body.user.id]).toEqual([200, first.body.user.id]);
    expect(body.user.id).not.toBe(userId);
  });
});

describe('an account that is renamed at its provider', () => {
  const signInAtDiscord = async (account: VendorAccount): Promise<Signed> => {
    const visitor = await new Visitor().begin({}, 'discord');
    const code = randomUUID();
    vendor.accounts.set(code, account);
    expect((await visitor.callback({ code }, 'discord')).status).toBe(200);
    return (await visitor.finish('discord')).body;
  };
  const nameOf = ({ user }: Signed): unknown =>
    user.verifiedCredentials.map((credential) => (credential as { oauth_username?: string }).oauth_username);

  it('is known by its name of today, to the user and to lists that admit by name', async () => {
    const [before, after] = [`ann-${randomUUID()}`, `bea-${randomUUID()}`];
    const list = { name: 'Early', outcome: 'scope', scope: 'early' };
    const { id } = (await world.api.post<{ id: string }>(world.path('/allowlists'), list, { expect: 201 })).body;
    await world.api.post(`/allowlists/${id}/entries`, { discordUsername: before }, { expect: 201 });
    await world.api.put(`/allowlists/${id}/enable`, undefined, { expect: 200 });
    const scopeOf = ({ jwt }: Signed): unknown => decodeJwt(jwt)['scope'];
    const account = newAccount({ login: before });

    const first = await signInAtDiscord(account);
    const [user, scope] = [first.user.id, scopeOf(first)];
    expect([nameOf(first), scope]).toEqual([[before], expect.stringContaining('early')]);
    const renamed = await signInAtDiscord({ ...account, login: after });
    expect([renamed.user.id, nameOf(renamed), scopeOf(renamed)]).toEqual([
      user,
      [after],
      expect.not.stringContaining('early'),
    ]);
    // Whoever has taken the name since is admitted by it.
    const heir = await signInAtDiscord(newAccount({ login: before }));
    expect([heir.user.id === user, scopeOf(heir)]).toEqual([false, expect.stringContaining('early')]);
    const read = await world.api.get<{ user: Signed['user'] }>(world.path(`/users/${user}`), { expect: 200 });
    expect(nameOf({ user: read.body.user, jwt: '' })).toEqual([after]);
    await world.api.put(`/allowlists/${id}/disable`, undefined, { expect: 200 });
  });

  it('costs a statement more than an account that is not', async () => {
    const account = newAccount({ login: 'ann' });
    const sentFor = async (as: VendorAccount): Promise<string[]> => {
      const { sent } = await countStatements(() => signInAtDiscord(as));
      return sent.map(({ name }) => name).filter((name) => name.startsWith('credentials.update'));
    };
    expect(await sentFor(account)).toEqual([]);
    expect(await sentFor(account)).toEqual([]);
    expect(await sentFor({ ...account, login: 'bea' })).toEqual(['credentials.updateAccount']);
    expect(await sentFor({ ...account, login: 'bea' })).toEqual([]);
  });
});

describe('an account that a signed-in user adds', () => {
  it('is theirs from then on, and no second user can have it', async () => {
    const account = newAccount();
    const ann = await world.signIn(newEmail());
    const bob = await world.signIn(newEmail());
    const link = async (jwt: string) => {
      const visitor = await new Visitor().begin();
      await visitor.comeBack(account);
      const { code } = (await visitor.result()).body;
      return world.anonymous
        .withToken(jwt)
        .post<Signed & Refused>(at('/verify'), { state: visitor.state, code }, { headers: { cookie: visitor.cookie } });
    };
    const linked = await link(ann.jwt);
    expect([linked.status, linked.body.user.id, linked.body.user.email]).toEqual([200, ann.userId, ann.email]);
    expect((await signInAs(account)).body.user.id).toBe(ann.userId);
    expect((await link(bob.jwt)).body.code).toBe('merge_accounts_confirmation');
    const visitor = await new Visitor().begin();
    await world.anonymous.post(at('/verify'), { state: visitor.state, code: 'code-1' }, { expect: 401 });
  });

  it('leaves an address that is only vouched for with the user who has it', async () => {
    const email = `ann.${randomBytes(6).toString('hex')}@gmail.com`;
    const [ann, bob] = [await world.signIn(email), await world.signIn(newEmail())];
    const visitor = await new Visitor().begin({}, 'google');
    const { headers } = await visitor.login('', 'google');
    peer.account = { sub: random(), email, email_verified: true };
    const { state: _, ...parameters } = Object.fromEntries((await peer.visit(headers.get('location')!)).searchParams);
    await visitor.callback(parameters, 'google');
    const { code } = (await visitor.result('google')).body;
    const linked = await world.anonymous
      .withToken(bob.jwt)
      .post<Signed & Refused>(
        at('/verify', 'google'),
        { state: visitor.state, code },
        { headers: { cookie: visitor.cookie } },
      );
    expect([linked.status, linked.body.user.email]).toEqual([200, bob.email]);
    expect(linked.body.user.verifiedCredentials.map(({ format }) => format).toSorted()).toEqual(['email', 'oauth']);
    expect((await world.signIn(email)).userId).toBe(ann.userId);
  });
});
