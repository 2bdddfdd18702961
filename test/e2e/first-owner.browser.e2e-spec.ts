import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateMasterKey } from '../../src/vault/index.js';
import { Browser, overflowOf, PHONE } from '../support/browser.js';
import { describeWithChrome } from '../support/chrome.js';
import { Explorer } from '../support/explorer.js';
import { freePort } from '../support/ports.js';
import { createDatabase, type TestDatabase } from '../support/postgres.js';
import { run, ServiceProcess } from '../support/service-process.js';

const OWNER = 'first@example.com';

describeWithChrome('the first owner of a production installation without mail', (chrome) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-first-owner-'));
  let database: TestDatabase;
  let settings: { DATA_DIR: string } & Record<string, string>;
  let service: ServiceProcess;
  let browser: Browser;
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
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is told where the door is, while the documents stay closed', async () => {
    const page = await browser.open('/docs', PHONE);
    await page.getByText('The documents of this service are for its members').waitFor();
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await new Explorer(page, 'first-owner').screenshot('closed');
    await page.close();
    // The refusal of the document is what the page has asked about.
    expect(browser.complaints.filter((text) => !text.includes('401'))).toEqual([]);
  });

  test('is given a link by the command, and works at the explorer after one press', async () => {
    const words = ['organizations', 'create', '--name', 'First', '--owner', OWNER];
    const made = await run(['node', 'scripts/run.js', 'cli', ...words], settings);
    link = /^link +(\S+)$/m.exec(made.stdout)?.[1] ?? '';
    const page = await browser.open(link, PHONE);
    const explorer = new Explorer(page, 'first-owner-link');
    expect(page.url()).not.toContain('ghl_');
    await explorer.screenshot('link');
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
    await page.getByText('This link does not work any more.').waitFor();
    await new Explorer(page, 'first-owner-used').screenshot('used');
    await page.close();
  });
});
