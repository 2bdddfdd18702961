import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { PrivateKeyAccount } from 'viem/accounts';
import { BrowsedService } from './browsed-service.js';
import { type Browser, carryAuthenticator, type PHONE } from './browser.js';
import { ownerHeaders } from './console-session.js';
import { freePort } from './ports.js';
import { eventually } from './receiver.js';

/** A network enabled in new sandboxes. */
const SEPOLIA = '0xaa36a7';

/** The service's /dev/app in a browser. */
export class DevApp {
  private opened: Page | null = null;

  private constructor(private readonly own: BrowsedService) {}

  static async start(chrome: string): Promise<DevApp> {
    const port = String(await freePort());
    // Tests are faster than people.
    const metrics = String(await freePort());
    const settings = { PORT: port, METRICS_PORT: metrics, RATE_LIMIT_SCALE: '10000' };
    // The host name in the service's URLs, for which browsers accept secure cookies.
    return new DevApp(await BrowsedService.start(chrome, settings, `http://localhost:${port}`));
  }

  close(): Promise<void> {
    return this.own.close();
  }

  get browser(): Browser {
    return this.own.browser;
  }

  get page(): Page {
    if (!this.opened) throw new Error('The page was not opened.');
    return this.opened;
  }

  async open(viewport?: typeof PHONE): Promise<Page> {
    await this.opened?.close();
    this.opened = await this.browser.open('/dev/app', viewport);
    await this.page.waitForSelector('#provider-github');
    return this.page;
  }

  /** Of the sandbox. */
  path(rest: string): string {
    return `/environments/${this.own.service.quickstart.environments.sandbox.id}${rest}`;
  }

  /** The address of the sandbox's operations for applications. */
  get sdk(): string {
    const { api, environments } = this.own.service.quickstart;
    return `${api}/sdk/${environments.sandbox.id}`;
  }

  /** Makes a call as the demo's owner, who signs in for it. */
  async manage<T>(method: 'POST' | 'PUT', path: string, body?: object): Promise<T> {
    const { quickstart } = this.own.service;
    const answer = await fetch(`${quickstart.api}${path}`, {
      method,
      headers: { ...(await ownerHeaders(quickstart)), 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text ? JSON.parse(text) : undefined) as T;
  }

  /** Makes a call as a server of the team, with the sandbox's API token; returns any response. */
  async asServer<T>(path: string, { body, headers }: { body: object; headers: Record<string, string> }): Promise<T> {
    const { api, environments } = this.own.service.quickstart;
    const answer = await fetch(`${api}${this.path(path)}`, {
      method: 'POST',
      headers: {
        ...headers,
        authorization: `Bearer ${environments.sandbox.apiToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as T;
  }

  /** What a user has sealed for the team's servers, as delivered by the demo's webhook; null until then. */
  async delivered(walletId: string): Promise<Record<string, string> | null> {
    const caught = await fetch(`${this.own.service.url}/dev/webhooks`, { headers: { accept: 'application/json' } });
    const all = (await caught.json()) as { body: { eventName?: string; data?: Record<string, unknown> } }[];
    const found = all.find(
      ({ body }) => body.data?.['walletId'] === walletId && body.data['encryptedDelegatedShare'] !== undefined,
    );
    return (found?.body.data?.['encryptedDelegatedShare'] as Record<string, string> | undefined) ?? null;
  }

  /** Resolves once pages offer it: clients read settings that may be a second old. */
  async enableProvider(body: { provider: string }): Promise<void> {
    const { id } = await this.manage<{ id: string }>('POST', this.path('/settings/providers'), body);
    await this.manage('PUT', `/settings/providers/${id}/enable`);
    await eventually(`${body.provider} is offered`, async () => {
      const { providers } = (await (await fetch(`${this.sdk}/settings`)).json()) as { providers: (typeof body)[] };
      return providers.some(({ provider }) => provider === body.provider);
    });
  }

  addNetwork(network: object): Promise<unknown> {
    return this.manage('POST', `/organizations/${this.own.service.quickstart.organizationId}/customNetworks`, network);
  }

  /** Pages opened from now on have a wallet with this key. */
  async carryWallet(key: PrivateKeyAccount): Promise<void> {
    const context = this.page.context();
    const name = `sign${key.address}`;
    await context.exposeFunction(name, (raw: `0x${string}`) => key.signMessage({ message: { raw } }));
    await context.addInitScript(`window.ethereum = { request: async ({ method, params }) => ({
      eth_requestAccounts: ['${key.address}'],
      eth_chainId: '${SEPOLIA}',
      personal_sign: method === 'personal_sign' && (await window.${name}(params[0])),
    })[method] };`);
  }

  carryAuthenticator(): Promise<void> {
    return carryAuthenticator(this.page);
  }

  async sendCode(form: string, code: string): Promise<void> {
    await this.page.click(`${form} button`);
    await eventually('the code is there', async () =>
      /^\d{6}$/.test(await this.page.inputValue(`${code} [name=code]`)),
    );
  }

  /** Waits until the page has read a code from the inbox. */
  async filled(field: string): Promise<void> {
    const isThere = async () => /^\d{6}$/.test(await this.page.inputValue(field));
    await this.explaining(eventually('the code is there', isThere));
  }

  /** Signs in with the first factor only. */
  async signIn(email: string): Promise<void> {
    await this.page.fill('#email [name=email]', email);
    await this.sendCode('#email', '#code');
    await this.page.click('#code button');
    await this.appears('#session:not([hidden])');
  }

  async signOut(): Promise<void> {
    await this.page.click('#leave');
    await this.page.waitForSelector('#doors:not([hidden])');
  }

  async user(): Promise<Record<string, unknown> & { id: string; verifiedCredentials: Record<string, unknown>[] }> {
    return JSON.parse((await this.page.textContent('#user'))!);
  }

  /** @throws Error with the page's error message */
  async shows(selector: string, text: string): Promise<void> {
    const isShown = async () => (await this.page.textContent(selector))?.includes(text);
    await this.explaining(eventually(`${selector} shows ${text}`, isShown));
  }

  /** @throws Error with the page's error message */
  async appears(selector: string): Promise<void> {
    await this.explaining(this.page.waitForSelector(selector));
  }

  private async explaining(waiting: Promise<unknown>): Promise<void> {
    try {
      await waiting;
    } catch (error) {
      const problem = await this.page.locator('#problem:not([hidden])').allTextContents();
      throw new Error(`${(error as Error).message}; the page says: ${problem.join() || 'nothing'}`, { cause: error });
    }
  }

  /** Saves a screenshot, if a folder for them is configured. */
  async picture(name: string, page = this.page): Promise<void> {
    const shots = process.env['SHOTS'];
    if (shots) await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
  }
}
