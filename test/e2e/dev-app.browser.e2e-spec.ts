import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { privateKeyToAccount, generatePrivateKey } from 'viem/accounts';
import { findFreePort } from '../../src/database/embedded/free-port.js';
import { Browser, overflowOf, PHONE } from '../support/browser.js';
import { describeWithChrome } from '../support/chrome.js';
import { eventually } from '../support/receiver.js';
import { ServiceProcess } from '../support/service-process.js';

const SEPOLIA = 11_155_111;
jest.setTimeout(180_000);

describeWithChrome('the first minute, in Chromium', (chrome) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-dev-app-'));
  let service: ServiceProcess;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    const port = String(await findFreePort(3000));
    service = await ServiceProcess.start({ DATA_DIR: join(folder, '.data'), PORT: port });
    // The name that the addresses of the service have, and for which browsers keep secure cookies.
    browser = await Browser.launch(chrome, `http://localhost:${port}`);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.discard();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What a person sees once they are in: themselves, their tokens, and the webhook that told of it. */
  async function seen(who: string): Promise<void> {
    await page.waitForSelector('#session:not([hidden])');
    expect(await page.textContent('#who')).toBe(`Signed in as ${who}`);
    expect(await page.textContent('#scopes')).toContain('user:basic');
    expect(await page.textContent('#tokens')).toContain('"amr"');
    await shows('#webhooks', 'user.session.created');
  }

  const shows = (selector: string, text: string): Promise<unknown> =>
    eventually(`${selector} shows ${text}`, async () => (await page.textContent(selector))?.includes(text));

  /** For people who look at what the tests saw, where they name a folder for it. */
  async function picture(name: string): Promise<void> {
    const shots = process.env['SHOTS'];
    if (shots) await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
  }

  async function signOut(): Promise<void> {
    await page.click('#leave');
    await page.waitForSelector('#doors:not([hidden])');
  }

  it('begins with a page whose every link leads somewhere, on a telephone as well', async () => {
    page = await browser.open('/dev', PHONE);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await picture('front');
    const links = await page.$$eval('main a', (found) =>
      found.map((link) => (link as unknown as { href: string }).href),
    );
    expect(links.length).toBeGreaterThan(7);
    for (const link of links) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
  });

  it('signs in with a code by email', async () => {
    page = await browser.open('/dev/app');
    await page.waitForSelector('#provider-github');
    await picture('doors');
    await page.click('#email button');
    await eventually('the code is there', async () => /^\d{6}$/.test(await page.inputValue('[name=code]')));
    await page.click('#email-code button');
    await seen('you@example.com');
    expect(await page.textContent('#webhooks')).toContain('user.created');
    await picture('email');
  });

  it('adds a passkey, and signs in with it', async () => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.click('#add-passkey');
    await shows('#added', 'The passkey was added');
    await signOut();
    await page.click('#passkey button');
    await seen('you@example.com');
    await signOut();
  });

  it('signs in by a name at the provider of identities, as the same user each time', async () => {
    const ids: string[] = [];
    for (const name of ['Grace Hopper', 'grace hopper']) {
      await page.click('#provider-github');
      await page.waitForURL(/\/dev\/identity\/authorize/);
      await page.fill('[name=name]', name);
      await picture('identity');
      await page.click('text=Continue');
      await page.waitForURL(/\/dev\/app$/);
      await page.waitForSelector('#session:not([hidden])');
      expect(await page.textContent('#user')).toContain('"oauth_provider": "github"');
      ids.push((JSON.parse((await page.textContent('#user'))!) as { id: string }).id);
      await signOut();
    }
    expect(new Set(ids).size).toBe(1);
  });

  it('says who declined', async () => {
    await page.click('#provider-github');
    await page.waitForURL(/\/dev\/identity\/authorize/);
    await page.click('text=Decline');
    await page.waitForURL(/\/dev\/app$/);
    await page.waitForSelector('#problem:not([hidden])');
    expect(await page.textContent('#problem')).toBe('The provider says: access_denied');
  });

  it('signs in with the wallet of the browser', async () => {
    const key = privateKeyToAccount(generatePrivateKey());
    const context = page.context();
    await context.exposeFunction('signAsWallet', (raw: string) =>
      key.signMessage({ message: { raw: raw as `0x${string}` } }),
    );
    const chainId = `0x${SEPOLIA.toString(16)}`;
    await context.addInitScript(`window.ethereum = { request: async ({ method, params }) => ({
      eth_requestAccounts: ['${key.address}'],
      eth_chainId: '${chainId}',
      personal_sign: method === 'personal_sign' && (await window.signAsWallet(params[0])),
    })[method] };`);
    page = await browser.open('/dev/app');
    await page.click('#wallet button');
    await page.waitForSelector('#session:not([hidden])');
    expect(await page.textContent('#user')).toContain(key.address);
    await shows('#webhooks', 'wallet.linked');
  });

  it('fits a phone, complains of nothing and asks nobody else', async () => {
    page = await browser.open('/dev/app', PHONE);
    await page.waitForSelector('#provider-github');
    await picture('phone');
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(browser.foreignRequests).toEqual([]);
    expect(browser.complaints).toEqual([]);
  });
});
