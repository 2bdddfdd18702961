import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Locator, type Page } from 'playwright-core';

/** A separate profile and no background activity: every observed request is from a page. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages are closed before optimised compilation would pay off.
  '--js-flags=--no-turbofan',
];
export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 375, height: 740 };

/** A Chromium that records errors of its pages and their requests to other hosts. */
export class Browser {
  /** Console errors and warnings (including content security policy violations), uncaught errors, failed requests. */
  readonly complaints: string[] = [];
  readonly foreignRequests: string[] = [];

  private constructor(
    private readonly context: BrowserContext,
    private readonly profile: string,
    private readonly origin: string,
  ) {
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.complaints.push(message.text());
    });
    context.on('weberror', (error) => this.complaints.push(error.error().message));
    // Requests in progress when a page is left or closed are not errors.
    context.on('requestfailed', (request) => {
      const fault = request.failure()?.errorText;
      if (fault !== 'net::ERR_ABORTED') this.complaints.push(`${request.url()} ${fault}`);
    });
    context.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:')) {
        this.foreignRequests.push(request.url());
      }
    });
  }

  /** @param origin of the service; everything else is foreign */
  static async launch(executablePath: string, origin: string): Promise<Browser> {
    const profile = mkdtempSync(join(tmpdir(), 'gatehouse-browser-'));
    const context = await chromium.launchPersistentContext(profile, {
      executablePath,
      args: FLAGS,
      viewport: DESKTOP,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    return new Browser(context, profile, origin);
  }

  /** A new page, opened and loaded. */
  async open(path: string, viewport = DESKTOP): Promise<Page> {
    const page = await this.context.newPage();
    await page.setViewportSize(viewport);
    await page.goto(new URL(path, this.origin).href);
    return page;
  }

  async close(): Promise<void> {
    await this.context.close();
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** The tab opened by a link. On a busy machine a click may have no effect and is repeated. */
export async function tabOf(page: Page, link: Locator): Promise<Page> {
  for (let left = 2; ; left -= 1) {
    const opened = page
      .context()
      .waitForEvent('page', { timeout: 10_000 })
      .catch((error: unknown) => {
        if (left === 0) throw error;
        return null;
      });
    await link.click();
    const tab = await opened;
    if (tab) return tab;
  }
}

/** Gives a page a virtual authenticator that always verifies the user. */
export async function carryAuthenticator(page: Page): Promise<void> {
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
}

/** The width in pixels by which a page overflows its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
