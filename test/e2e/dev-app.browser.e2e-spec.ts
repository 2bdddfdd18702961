import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { overflowOf, PHONE, tabOf } from '../support/browser.js';
import { describeWithChrome } from '../support/chrome.js';
import { DevApp } from '../support/dev-app.js';
import { FrameChain } from '../support/frame.js';
import { customNetwork } from '../support/surface/custom-network.js';
import { Issuer, signer } from '../support/token-issuer.js';

jest.setTimeout(180_000);

describeWithChrome('the first minute, in Chromium', (chrome) => {
  let app: DevApp;

  beforeAll(async () => {
    app = await DevApp.start(chrome);
  });
  afterAll(() => app?.close());

  /** What a person sees once they are in: themselves, their tokens, and the webhook that told of it. */
  async function seen(who: string): Promise<void> {
    await app.appears('#session:not([hidden])');
    expect(await app.page.textContent('#who')).toBe(`Signed in as ${who}`);
    expect(await app.page.textContent('#scopes')).toContain('user:basic');
    expect(await app.page.textContent('#tokens')).toContain('"amr"');
    await app.shows('#webhooks', 'user.session.created');
  }

  it('starts with a page without broken links, also on a phone', async () => {
    const page = await app.browser.open('/dev', PHONE);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    const links = await page.$$eval('main a', (found) =>
      found.map((link) => (link as unknown as { href: string }).href),
    );
    expect(links.length).toBeGreaterThan(7);
    expect(links.filter((link) => link.endsWith('/metrics'))).toHaveLength(1);
    const texts = await (await fetch(new URL('/llms.txt', page.url()))).text();
    const told = [...texts.matchAll(/^- \[[^\]]+\]\((\S+)\): /gm)].map(([, link]) => link!);
    expect(told.length).toBe(links.length - 1);
    for (const link of [...links, ...told]) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
    await app.picture('front', page);
    await page.close();
  });

  it('shows each mail as its recipients see it, as text and as HTML, also on a phone', async () => {
    const page = await app.browser.open('/dev/mails', PHONE);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    const mails = await page.locator('article').count();
    expect(mails).toBeGreaterThan(40);
    expect(await page.locator('iframe.mail').count()).toBe(mails);
    const words = (text: string | null): string[] => (text ?? '').split(/\s+/).filter(Boolean);
    for (const at of [0, mails - 1]) {
      const text = await page.locator('article pre').nth(at).textContent();
      const frame = page.frameLocator(`article:nth-of-type(${at + 1}) iframe.mail`);
      expect(words(await frame.locator('body').textContent()).join('')).toBe(words(text).join(''));
    }
    await page.close();
  });

  it('finds the code however the address was written, and says when nobody answers', async () => {
    await app.open();
    await app.page.route('**/emailVerifications/create', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<html>Bad gateway</html>' }),
    );
    await app.page.fill('#email [name=email]', 'Somebody.Else@Example.com');
    await app.page.click('#email button');
    await app.appears('#problem:not([hidden])');
    expect(await app.page.textContent('#problem')).toContain('The service cannot be reached. Try again.');
    await app.page.unroute('**/emailVerifications/create');
    await app.signIn('Somebody.Else@Example.com');
    await seen('somebody.else@example.com');
    await app.signOut();
  });

  it('shows who is in where sessions are in cookies, which no page can read', async () => {
    const keepIn = (storage: string): Promise<unknown> =>
      app.manage('PUT', app.path(''), { security: { auth: { storage: [storage] } } });
    await keepIn('cookie');
    await app.open();
    await app.signIn('cookie@example.com');
    expect(await app.page.textContent('#who')).toBe('Signed in as cookie@example.com');
    expect(await app.page.textContent('#scopes')).toBe('user:basic');
    expect(await app.page.textContent('#tokens')).toBe('In a cookie, which no page can read.');
    expect(await app.page.isVisible('#problem')).toBe(false);
    await app.signOut();
    await keepIn('localstorage');
  });

  it('signs in with a code by email', async () => {
    await app.open();
    await app.picture('doors');
    await app.signIn('you@example.com');
    await seen('you@example.com');
    await app.shows('#webhooks', 'user.created');
    await app.picture('email');
  });

  it('adds a passkey, and signs in with it', async () => {
    await app.carryAuthenticator();
    await app.page.click('#add-passkey');
    await app.shows('#added', 'The passkey was added');
    await app.signOut();
    await app.page.click('#passkey button');
    await seen('you@example.com');
    await app.signOut();
  });

  it('signs in with a code by text message, which lands in the inbox', async () => {
    await app.page.fill('#sms [name=number]', '+33 6 12 34 56 78');
    await app.page.click('#sms button');
    await app.shows('#problem', 'only to numbers with these country codes: +41, +49, +44, +1.');
    await app.page.fill('#sms [name=number]', '+41 079 000 00 00');
    await app.sendCode('#sms', '#code');
    await app.page.click('#code button');
    await app.appears('#session:not([hidden])');
    const [credential] = (await app.user()).verifiedCredentials;
    expect(credential).toMatchObject({ phoneNumber: '790000000', phoneCountryCode: '41' });
    await app.signOut();
  });

  it('signs in by a name at the provider of identities, as the same user each time', async () => {
    const ids: string[] = [];
    for (const name of ['Grace Hopper', 'grace hopper']) {
      await app.page.click('#provider-github');
      await app.page.waitForURL(/\/dev\/identity\/authorize/);
      await app.page.fill('[name=name]', name);
      await app.picture('identity');
      await app.page.click('text=Continue');
      await app.page.waitForURL(/\/dev\/app$/);
      await app.appears('#session:not([hidden])');
      const user = await app.user();
      expect(user.verifiedCredentials).toMatchObject([{ oauth_provider: 'github' }]);
      ids.push(user.id);
      await app.signOut();
    }
    expect(new Set(ids).size).toBe(1);
  });

  it('returns from the provider of identities to an application on another port', async () => {
    const site = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end('<title>A shop</title>'),
    );
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const origin = `http://localhost:${(site.address() as AddressInfo).port}`;
    try {
      await app.manage('POST', app.path('/origins'), { origin });
      const page = await app.browser.open(origin);
      const provider = `${app.sdk}/providers/github`;
      const init = JSON.stringify({ state: randomBytes(32).toString('base64url'), redirectUrl: `${origin}/back` });
      await page.evaluate(`fetch('${provider}/initAuth', {
        method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' }, body: '${init}',
      }).then(() => location.assign('${provider}/login?state=' + ${init}.state))`);
      await page.waitForURL(/\/dev\/identity\/authorize/);
      await page.fill('[name=name]', 'Ann');
      await page.click('text=Continue');
      await page.waitForURL((url) => url.href.startsWith(`${origin}/back?`), { timeout: 10_000 });
      expect(new URL(page.url()).searchParams.get('code')).toEqual(expect.any(String));
      await page.close();
      // The shop is the only other site, and no longer counts for what this suite sees in the end.
      expect(app.browser.foreignRequests.splice(0).filter((url) => !url.startsWith(origin))).toEqual([]);
    } finally {
      site.close();
    }
  });

  it('says that the provider’s user declined', async () => {
    await app.page.click('#provider-github');
    await app.page.waitForURL(/\/dev\/identity\/authorize/);
    await app.page.click('text=Decline');
    await app.page.waitForURL(/\/dev\/app$/);
    await app.appears('#problem:not([hidden])');
    expect(await app.page.textContent('#problem')).toBe('The provider returned an error: access_denied');
  });

  it('signs in with the wallet of the browser', async () => {
    const key = privateKeyToAccount(generatePrivateKey());
    await app.carryWallet(key);
    await app.open();
    await app.page.click('#wallet button');
    await app.appears('#session:not([hidden])');
    expect((await app.user()).verifiedCredentials).toMatchObject([{ address: key.address }]);
    await app.shows('#webhooks', 'wallet.linked');
  });

  it('signs in with an account of the messaging network, which is simulated and says so', async () => {
    await app.open();
    expect(await app.page.isVisible('#telegram-imitated')).toBe(true);
    const ids: unknown[] = [];
    for (const name of ['Ann', 'ann']) {
      const button = await tabOf(app.page, app.page.locator('#telegram-page'));
      await button.click('#imitated-login');
      await button.getByRole('heading', { name: 'An imitated messaging network' }).waitFor();
      await button.getByLabel('Name').fill(name);
      await button.getByRole('button', { name: 'Log in' }).click();
      await button.getByText('Confirmed.').waitFor();
      await button.close();
      await app.page.click('#telegram-done');
      await app.appears('#session:not([hidden])');
      const [credential] = (await app.user()).verifiedCredentials;
      expect(credential).toMatchObject({ oauth_provider: 'telegram' });
      ids.push(credential!['oauth_account_id']);
      await app.signOut();
    }
    expect(new Set(ids).size).toBe(1);
  });

  it('signs in with an account of the frame network, by the wallet in whose custody it is', async () => {
    const chain = await FrameChain.start();
    try {
      const fid = 424_242n;
      const network = { ...customNetwork('frames'), chainId: '10', rpcUrl: chain.node.url };
      await app.addNetwork(network);
      await app.enableProvider({ provider: 'farcaster' });
      await app.carryWallet(chain.holder(fid));
      await app.open();
      await app.page.fill('#frame [name=fid]', '424243');
      await app.page.click('#frame button');
      await app.shows('#problem', 'frame_custody_refused');
      await app.page.fill('#frame [name=fid]', String(fid));
      await app.page.click('#frame button');
      await app.appears('#session:not([hidden])');
      expect((await app.user()).verifiedCredentials).toMatchObject([
        { oauth_provider: 'farcaster', oauth_account_id: String(fid) },
      ]);
      await app.signOut();
    } finally {
      await chain.node.close();
    }
  });

  it('signs in with a token of the team’s own identity provider, and reports an invalid one', async () => {
    const [issuer, key] = await Promise.all([Issuer.start(), signer('ES256')]);
    issuer.keys = [key.publicJwk];
    try {
      const trust = { iss: 'https://issuer.example', aud: 'gatehouse' };
      const externalAuth = { enabled: true, ...trust, jwksUrl: `${issuer.url}/keys` };
      await app.manage('PUT', app.path(''), { security: { externalAuth } });
      await app.open();
      await app.shows('#issuer', trust.iss);
      await app.page.fill('#jwt', 'e30.e30.AAAA');
      await app.page.click('#foreign button');
      await app.shows('#problem', 'invalid_external_token');
      await app.picture('refused');
      const claims = { ...trust, sub: 'ann', given_name: 'Ann', iat: Math.floor(Date.now() / 1_000) };
      const jwt = new SignJWT({ ...claims, exp: claims.iat + 60 });
      const header = { alg: key.alg, kid: key.kid, typ: 'JWT' };
      await app.page.fill('#jwt', await jwt.setProtectedHeader(header).sign(key.privateKey));
      await app.page.click('#foreign button');
      await seen('Ann');
      expect(await app.page.isVisible('#problem')).toBe(false);
    } finally {
      await issuer.stop();
    }
  });

  it('fits a phone, logs only refusals, and calls no other host', async () => {
    await app.open(PHONE);
    await app.picture('phone');
    expect(await overflowOf(app.page)).toBeLessThanOrEqual(0);
    expect(app.browser.foreignRequests).toEqual([]);
    // Chromium writes each refusal that a page was answered to the console.
    expect(app.browser.complaints.filter((text) => !/status of (?:401|422|502)/.test(text))).toEqual([]);
  });
});
