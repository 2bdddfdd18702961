import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { generateMasterKey } from '../../src/vault/index.js';
import { Browser, overflowOf, PHONE } from '../support/browser.js';
import { describeWithChrome } from '../support/chrome.js';
import { Explorer } from '../support/explorer.js';
import { MailServer } from '../support/mail-server.js';
import { freePort } from '../support/ports.js';
import { createDatabase, type TestDatabase } from '../support/postgres.js';
import { run, ServiceProcess } from '../support/service-process.js';

const OWNER = 'first@example.com';
/** A document for the explorer that the test need not sign in for. */
const DOCUMENT = { openapi: '3.1.0', info: { title: 'Empty', version: '0' }, paths: {} };
/** As in a browser that is set to block all cookies: the property itself throws. */
const BLOCKED = `Object.defineProperty(window, 'sessionStorage', {
  get() { throw new DOMException('Access is denied for this document.', 'SecurityError'); },
})`;

describeWithChrome('the first owner of a production installation without mail', (chrome) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-first-owner-'));
  let database: TestDatabase;
  let settings: { DATA_DIR: string } & Record<string, string>;
  let service: ServiceProcess;
  let browser: Browser;
  let mails: MailServer | undefined;
  let link: string;

  beforeAll(async () => {
    database = await createDatabase();
    const port = String(await freePort());
    settings = {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: port,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      MASTER_KEY: generateMasterKey(),
      API_DOCS: 'true',
    };
    service = ServiceProcess.spawn(settings);
    await service.until(async () => service.output.includes('Gatehouse is ready'));
    browser = await Browser.launch(chrome, settings['PUBLIC_URL']!);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await service?.end('SIGTERM');
    await mails?.stop();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A page that is prepared before it is loaded. */
  async function openWith(path: string, prepare: (page: Page) => Promise<unknown>): Promise<Page> {
    const page = await browser.open('/healthz');
    await prepare(page);
    await page.goto(new URL(path, settings['PUBLIC_URL']).href);
    return page;
  }

  test('is told how to sign in, while the documents stay closed', async () => {
    const page = await browser.open('/docs', PHONE);
    await page.getByText('The API documentation of this service is for its members').waitFor();
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await new Explorer(page, 'first-owner').screenshot('closed');
    await page.close();
    // The refusal of the document is what the page has asked about.
    expect(browser.complaints.filter((text) => !text.includes('401'))).toEqual([]);
  });

  test('gets a link from the command, and can use the explorer after one click', async () => {
    const words = ['organizations', 'create', '--name', 'First', '--owner', OWNER];
    const made = await run(['node', 'scripts/run.js', 'cli', ...words], settings);
    link = /^link +(\S+)$/m.exec(made.stdout)?.[1] ?? '';
    // A browser that could not keep the session does not use up the link either.
    const blocked = await openWith(link, (page) => page.addInitScript(BLOCKED));
    await blocked.getByRole('button', { name: 'Sign in' }).click();
    await blocked.getByText('This browser blocks cookies and storage for this site.').waitFor();
    await blocked.close();
    const page = await browser.open(link, PHONE);
    const explorer = new Explorer(page, 'first-owner-link');
    expect(page.url()).not.toContain('ghl_');
    await explorer.screenshot('link');
    // A reload has lost the secret. The page asks for the whole link, which may be pasted into the same tab.
    await page.reload();
    await page.getByText('This address is incomplete.').waitFor();
    await page.goto(link);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(page.url()).not.toContain('ghl_');
    // An outage does not use up the link.
    await page.route('**/sign-in', (route) => route.abort(), { times: 1 });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The service cannot be reached. Try again.').waitFor();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await explorer.says(`Signed in as ${OWNER}`);
    await page.locator('#explorer[data-ready]').waitFor();
    const own = await explorer.execute<{ organizations: object[] }>('Organizations', 'getOrganizationsForMember');
    expect(own).toMatchObject({ status: 200, body: { organizations: [{ name: 'First', role: 'owner' }] } });
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await page.close();
  }, 120_000);

  test('is told when the link is used up', async () => {
    const page = await browser.open(link, PHONE);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This link is no longer valid.').waitFor();
    await new Explorer(page, 'first-owner-used').screenshot('used');
    await page.close();
  });

  test('is told that the service cannot be reached when a balancer answers for it', async () => {
    const page = await browser.open('/docs', PHONE);
    const body = '<html><head><title>502 Bad Gateway</title></head></html>';
    await page.route('**/ssoProvider', (route) => route.fulfill({ status: 502, contentType: 'text/html', body }));
    const form = page.locator('#code-form');
    await form.getByLabel('Email').fill(OWNER);
    await form.getByRole('button', { name: 'Send a code' }).click();
    const status = form.getByRole('status');
    await status.filter({ hasText: /./ }).waitFor();
    expect(await status.innerText()).toBe('The service cannot be reached. Try again.');
    await page.close();
  });

  test.each(['docs/start.json', 'docs/assets/swagger-ui-bundle.js', 'pages/member.js'])(
    'is told to load the page again when %s did not arrive',
    async (path) => {
      const page = await openWith('/docs', async (it) => {
        await it.route('**/docs/openapi.json', (route) => route.fulfill({ json: DOCUMENT }));
        await it.route(`**/${path}`, (route) => route.abort());
      });
      await page
        .locator('#explorer')
        .getByText(/[Rr]eload the page/)
        .waitFor();
      await page.close();
    },
  );

  test('is told what to allow where the browser keeps nothing of a site', async () => {
    const page = await openWith('/docs', (it) => it.addInitScript(BLOCKED));
    await page.locator('#code-form').getByLabel('Email').fill(OWNER);
    await page.getByRole('button', { name: 'Send a code' }).click();
    await page.locator('#code-form').getByText('This browser blocks cookies and storage for this site.').waitFor();
    await page.getByLabel('Personal token').fill('ghp_whatever');
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.locator('#who').getByText('This browser blocks cookies and storage for this site.').waitFor();
    await page.close();
  });

  test('signs in at the explorer with a code by mail, once there is a mail server, and stays signed in', async () => {
    expect(await service.end('SIGTERM')).toBe(0);
    mails = await MailServer.start();
    const withMail = { ...settings, SMTP_URL: mails.url, SMTP_TLS: 'optional' };
    service = ServiceProcess.spawn(withMail);
    await service.until(async () => service.output.includes('Gatehouse is ready'));
    const page = await browser.open('/docs');
    await page.getByText('The API documentation of this service is for its members').waitFor();
    const explorer = new Explorer(page, 'first-owner-mail');
    const from = mails;
    await explorer.signIn(OWNER, () => from.codeTo(OWNER));
    await explorer.reload();
    await explorer.says(`Signed in as ${OWNER}`);
    const own = await explorer.execute<{ organizations: object[] }>('Organizations', 'getOrganizationsForMember');
    expect(own).toMatchObject({ status: 200, body: { organizations: [{ name: 'First', role: 'owner' }] } });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('The API documentation of this service is for its members').waitFor();

    // What was typed wrongly is said, and is not asked with again.
    await page.getByLabel('Personal token').fill('not-a-token');
    await page.getByRole('button', { name: 'Use it' }).click();
    await explorer.says('That token is invalid');
    await page.close();
  }, 120_000);
});
