import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { randomBytes } from 'node:crypto';
import { startTestApp, type TestApp } from '../support/app.js';
import type { Refusal } from '../support/codes.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { countStatements } from '../support/statements.js';
import { BOT, enableTelegram, newLogin, queryOf, userOf, type TelegramFields } from '../support/telegram.js';
import { newEmail, World } from '../support/world.js';

interface Answered extends Refusal {
  jwt: string;
  user: { id: string; firstName?: string; verifiedCredentials: Record<string, unknown>[] };
}

let test: TestApp;
let world: World;

beforeAll(async () => {
  const addresses = { telegram: { api: 'https://widget.example', authorize: 'https://frames.example/' } };
  test = await startTestApp({ env: { ROLE: 'api', PROVIDER_ADDRESSES: JSON.stringify(addresses) } });
  world = await World.create(test);
  await enableTelegram(world);
});
afterAll(() => test.close());

/** A browser with cookies of its own and a state that its page made. */
class Browser {
  cookie = '';
  readonly state = randomBytes(16).toString('hex');

  private get headers(): Record<string, string> {
    return this.cookie ? { cookie: this.cookie } : {};
  }

  async open(query = '') {
    const path = world.sdk(`/telegram/auth?state=${this.state}${query && `&${query}`}`);
    const answer = await world.anonymous.get<string & Refusal>(path, { headers: this.headers });
    const set = answer.headers.getSetCookie()[0];
    if (set) this.cookie = set.split(';')[0]!;
    return answer;
  }

  post(fields: TelegramFields, change: object = {}) {
    const body = { state: this.state, telegramUser: { ...userOf(fields), ...change } };
    return world.anonymous.post<Refusal>(world.sdk('/telegram/auth'), body, { headers: this.headers });
  }

  call(path: string, body: object = { state: this.state }, token?: string) {
    return world.anonymous.post<Answered>(world.sdk(path), body, { headers: this.headers, token });
  }

  signIn(body?: object) {
    return this.call('/telegram/signin', body);
  }
}

async function opened(): Promise<Browser> {
  const browser = new Browser();
  await browser.open();
  return browser;
}

const shown = (fields: TelegramFields, token?: string) => ({ telegramAuthToken: queryOf(fields, token) });
const refusal = ({ status, body }: { status: number; body: Refusal }) => [status, body.code];
const usersWith = (id: string): Promise<object[]> =>
  rowsOf(
    test,
    "SELECT user_id FROM credentials WHERE environment_id = $1 AND oauth_account_id = $2 AND oauth_provider = 'telegram'",
    [world.environmentId, id],
  );

describe('a sign-in at the messaging network', () => {
  it('goes from the page of the button back to it, and from there to a session', async () => {
    const browser = new Browser();
    const page = await browser.open();
    expect(page.status).toBe(200);
    expect(page.body).toContain('src="https://widget.example/js/telegram-widget.js?22"');
    expect(page.body).toContain(`data-telegram-login="${BOT}"`);
    expect(page.body).toContain(
      `data-auth-url="${test.config.publicUrl}/api/v0/sdk/${world.environmentId}/telegram/auth?state=`,
    );
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toContain("script-src 'self' https://widget.example; frame-src https://frames.example");
    expect(policy).not.toContain('unsafe-eval');
    expect(page.headers.get('set-cookie')).toMatch(
      /^__Host-gatehouse-telegram-.*; Path=\/; Secure; HttpOnly; SameSite=None/,
    );

    const login = newLogin({ last_name: 'Lee' });
    expect((await browser.open(queryOf(login))).body).toContain('Confirmed.');
    const { status, body } = await browser.signIn();
    expect(status).toBe(200);
    expect(body.user).toMatchObject({
      firstName: 'Ann',
      verifiedCredentials: [
        { format: 'oauth', oauth_provider: 'telegram', oauth_account_id: login.id, oauth_username: 'ann' },
      ],
    });
    expect(decodeJwt(body.jwt)).toMatchObject({ amr: ['fed'], auth_time: Number(login.auth_date) });
  });

  it('takes what a callback of the widget was given, and finds the same user again', async () => {
    const { id } = newLogin();
    const [first, second] = [await opened(), await opened()];
    expect((await first.post(newLogin({ id, auth_date: String(Math.floor(Date.now() / 1_000) - 5) }))).status).toBe(
      202,
    );
    expect((await second.post(newLogin({ id, username: 'renamed' }))).status).toBe(202);
    const one = await first.signIn();
    const other = await second.signIn();
    expect(other.body.user.id).toBe(one.body.user.id);
    const events = await eventsOf(test, world.environmentId, one.body.user.id);
    expect(events.filter(({ name }) => name === 'user.created')).toHaveLength(1);
  });

  it('takes what a mini app or a client shows itself, without a cookie', async () => {
    const { status, body } = await new Browser().signIn(shown(newLogin()));
    expect([status, body.code]).toEqual([200, undefined]);
  });

  it('says whether an account is known to whoever has proven it, and uses nothing up', async () => {
    const browser = await opened();
    const login = newLogin();
    await browser.post(login);
    expect((await browser.call('/checkTelegramAuth')).status).toBe(404);
    expect(refusal(await browser.signIn({ state: browser.state, forceCreateUser: false }))).toEqual([
      422,
      'telegram_account_unknown',
    ]);
    expect(await usersWith(login.id)).toEqual([]);
    expect((await browser.signIn()).status).toBe(200);
    expect((await browser.call('/checkTelegramAuth', shown(newLogin({ id: login.id })))).status).toBe(204);
    const known = { ...shown(newLogin({ id: login.id, username: 'again' })), forceCreateUser: false };
    expect((await browser.signIn(known)).status).toBe(200);
  });

  it('finds and uses up a login with one statement each', async () => {
    const { id } = newLogin();
    await new Browser().signIn(shown(newLogin({ id })));
    const browser = await opened();
    await browser.post(newLogin({ id, username: 'again' }));
    const { result, sent } = await countStatements(() => browser.signIn());
    expect(result.status).toBe(200);
    const own = sent.map(({ name, text }) => name || text).filter((name) => name.startsWith('telegramLogins.'));
    expect(own).toEqual(['telegramLogins.find', 'telegramLogins.consumeKept']);
  });

  it('links an account to the signed-in user, and to nobody else', async () => {
    const [owner, other] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
    const { id } = newLogin();
    const link = (jwt: string, name: string) =>
      new Browser().call('/telegram/verify', shown(newLogin({ id, username: name })), jwt);
    expect((await link(owner.jwt, 'one')).body.user.verifiedCredentials).toHaveLength(2);
    expect(refusal(await link(other.jwt, 'two'))).toEqual([422, 'merge_accounts_confirmation']);
  });
});

describe('a login', () => {
  it('signs in once, of a hundred times at once, by its state as by itself', async () => {
    const browser = await opened();
    await browser.post(newLogin());
    const token = shown(newLogin());
    for (const body of [undefined, token]) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => browser.signIn(body)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const others = answers.filter(({ status }) => status !== 200).map(({ body: { code } }) => code);
      expect(new Set(others).size).toBeLessThanOrEqual(2);
      for (const code of others) expect(['telegram_login_used', 'telegram_login_missing']).toContain(code);
    }
  });

  it('of a new account, fifty times concurrently, creates one user and one event', async () => {
    const { id } = newLogin();
    const now = Math.floor(Date.now() / 1_000);
    const logins = Array.from({ length: 50 }, (_, n) => newLogin({ id, auth_date: String(now - n) }));
    const answers = await Promise.all(logins.map((login) => new Browser().signIn(shown(login))));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
    const events = await eventsOf(test, world.environmentId, answers[0]!.body.user.id);
    expect(events.filter(({ name }) => name === 'user.created')).toHaveLength(1);
  });

  it('that was kept for one browser is none of another, which knows the state', async () => {
    const [victim, attacker] = [await opened(), await opened()];
    await victim.post(newLogin());
    expect(refusal(await attacker.signIn({ state: victim.state }))).toEqual([422, 'telegram_login_missing']);
    const without = new Browser();
    expect(refusal(await without.signIn({ state: victim.state }))).toEqual([422, 'telegram_login_missing']);
    expect((await victim.signIn()).status).toBe(200);
  });

  it('is kept once: not under another state, nor for another browser, nor after it was shown', async () => {
    const [one, two] = [await opened(), await opened()];
    const login = newLogin();
    expect((await one.post(login)).status).toBe(202);
    expect(refusal(await two.post(login))).toEqual([422, 'telegram_login_used']);
    expect(refusal(await one.post(newLogin()))).toEqual([422, 'telegram_login_used']);
    expect(refusal(await one.signIn(shown(login)))).toEqual([422, 'telegram_login_used']);
    const used = newLogin();
    expect((await one.signIn(shown(used))).status).toBe(200);
    expect(refusal(await two.post(used))).toEqual([422, 'telegram_login_used']);
  });

  it('is kept by no HEAD, and for a browser longer than it may take to arrive', async () => {
    const browser = await opened();
    const login = newLogin();
    const path = world.sdk(`/telegram/auth?state=${browser.state}&${queryOf(login)}`);
    const head = await fetch(`${test.url}/api/v0${path}`, { method: 'HEAD', headers: { cookie: browser.cookie } });
    expect(head.status).toBe(405);
    expect((await browser.open(queryOf(login))).body).toContain('Confirmed.');
    const later = "UPDATE telegram_logins SET signed_at = signed_at - interval '9 minutes' WHERE environment_id = $1";
    await rowsOf(test, later, [world.environmentId]);
    expect((await browser.signIn()).status).toBe(200);
  });

  const old = (seconds: number) => newLogin({ auth_date: String(Math.floor(Date.now() / 1_000) - seconds) });
  it.each<[string, () => object, string]>([
    ['nothing', () => ({}), 'telegram_login_missing'],
    ['a state that nobody began', () => ({ state: 'unknown' }), 'telegram_login_missing'],
    ['a token that is no login', () => ({ telegramAuthToken: 'token' }), 'telegram_login_invalid'],
    ['a login of another bot', () => shown(newLogin(), '1:other'), 'telegram_login_invalid'],
    [
      'a login whose account was changed',
      () => ({ telegramAuthToken: queryOf(newLogin({ id: '7' })).replace('id=7', 'id=8') }),
      'telegram_login_invalid',
    ],
    ['a login of six minutes ago', () => shown(old(360)), 'telegram_login_expired'],
    ['a login of tomorrow', () => shown(old(-86_400)), 'telegram_login_expired'],
  ])('is refused with %s, and nothing is written', async (_, body, code) => {
    const browser = await opened();
    expect(refusal(await browser.signIn(body()))).toEqual([422, code]);
    const written = 'SELECT 1 FROM sessions WHERE environment_id = $1 AND created_at > now()';
    expect(await rowsOf(test, written, [world.environmentId])).toEqual([]);
  });

  it.each<[string, object]>([
    ['another account', { id: 4_242 }],
    ['another name', { firstName: 'Eve' }],
    ['another time', { authDate: '1' }],
    ['a line within a field', { firstName: 'Ann\nid=1' }],
    ['a hash that is no hex', { hash: 'zz' }],
    ['an account that is none', { id: -1 }],
  ])('posted with %s is refused', async (_, change) => {
    const browser = await opened();
    expect(refusal(await browser.post(newLogin(), change))).toEqual([422, 'telegram_login_invalid']);
  });

  it('is refused from a browser that has not opened the page', async () => {
    expect(refusal(await new Browser().post(newLogin()))).toEqual([422, 'telegram_login_missing']);
  });

  it('is refused if the provider is disabled, and in another environment', async () => {
    const off = await World.create(test);
    const body = shown(newLogin());
    const answer = await off.anonymous.post<Refusal>(off.sdk('/telegram/signin'), body);
    expect(refusal(answer)).toEqual([422, 'provider_not_available']);
    expect(refusal(await off.anonymous.get<Refusal>(off.sdk('/telegram/auth?state=s')))).toEqual([
      422,
      'provider_not_available',
    ]);
  });

  it('leaves neither its signature nor the token of the bot in the database', async () => {
    const browser = await opened();
    const login = newLogin();
    await browser.post(login);
    const rows = JSON.stringify(
      await rowsOf(test, 'SELECT * FROM telegram_logins WHERE environment_id = $1', [world.environmentId]),
    );
    expect(rows).toContain(login.id);
    expect(rows).not.toContain(userOf(login).hash);
    await browser.signIn();
    const [kept] = await rowsOf<{ account: unknown }>(
      test,
      'SELECT account FROM telegram_logins WHERE environment_id = $1 AND account IS NOT NULL AND used_at IS NOT NULL',
      [world.environmentId],
    );
    expect(kept).toBeUndefined();
  });
});
