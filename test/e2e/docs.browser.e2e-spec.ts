import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { Quickstart } from '../../src/dev/index.js';
import { operationsOf, type OpenApiDocument } from '../../src/openapi/document-types.js';
import { Browser, overflowOf, PHONE } from '../support/browser.js';
import { describeWithChrome } from '../support/chrome.js';
import { NOT_AS_IT_IS } from '../support/examples.js';
import { ServiceProcess } from '../support/service-process.js';
import { peerSettings } from '../support/suites/peers.js';

describeWithChrome('in a browser', (chrome) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-docs-browser-'));
  let service: ServiceProcess;
  let browser: Browser;
  let quickstart: Quickstart;

  beforeAll(async () => {
    service = await ServiceProcess.start({ DATA_DIR: join(folder, '.data'), PORT: '0', ...(await peerSettings()) });
    quickstart = service.quickstart;
    browser = await Browser.launch(chrome, service.url);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await service?.discard();
    rmSync(folder, { recursive: true, force: true });
  });

  async function openOperation(page: Page, tag: string, id: string): Promise<Locator> {
    await page.locator(`#operations-tag-${tag}`).click();
    const operation = page.locator(`#operations-${tag}-${id}`);
    await operation.locator('.opblock-summary-control').click();
    return operation;
  }

  async function execute(operation: Locator): Promise<{ status: string; body: string }> {
    await operation.locator('button.execute').click();
    const answer = operation.locator('.live-responses-table .response');
    await answer.waitFor();
    return {
      status: (await answer.locator('.response-col_status').innerText()).trim(),
      body: await answer.locator('.response-col_description').innerText(),
    };
  }

  async function sendCode(email: string): Promise<void> {
    const path = `${quickstart.api}/sdk/${quickstart.environments.sandbox.id}/emailVerifications/create`;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ email }) });
    expect(answer.status).toBe(201);
  }

  const NO_GLOBAL_WALLET = 'the demo sets up no global wallet';
  const RANGE = 'asks in its query for a range of days';
  const NO_RAMP = 'the demo has no account at a vendor';
  /** Examples that find nothing in the demo, and why. */
  const NOT_IN_THE_DEMO: Readonly<Record<string, string>> = {
    getGlobalWalletAccessControlList: NO_GLOBAL_WALLET,
    getGlobalWalletSettings: NO_GLOBAL_WALLET,
    getGlobalWalletsSettings: NO_GLOBAL_WALLET,
    getEmailProvider: 'asks for an address in its query',
    cbOauthRedirect: 'goes on with a sign-in that has begun',
    externalAuthSignin: 'the demo trusts no other service',
    getTelegramAuth: 'asks in its query for a login that has begun',
    getAnalyticsEngagement: RANGE,
    getAnalyticsOverview: RANGE,
    getAnalyticsTopline: RANGE,
    getAnalyticsWallets: RANGE,
    getWaasPolicy: 'the demo has no signing policy',
    getSupportedOfframps: 'asks in its query for a wallet',
    getSupportedOnramps: 'asks in its query for a wallet',
    generateCoinbaseOnrampBuyUrl: NO_RAMP,
    getCoinbaseSupportedNetworks: NO_RAMP,
  };
  /** Their examples ask nodes of chains on the internet. */
  const READS_CHAINS = ['simulateEVMTransaction', 'simulateUserOp', 'simulateSVMTransaction'];
  /** Belongs to one call: a record of the caller, or what was made for it. test/e2e/examples-answer has those. */
  const isOfOneCall = (id: string, example: unknown): boolean =>
    id in NOT_AS_IT_IS ||
    READS_CHAINS.includes(id) ||
    /verificationUUID|018f0000-0000-7000/.test(JSON.stringify(example ?? null));

  describe('the explorer', () => {
    test('is authorized, tells what an operation needs, and executes it', async () => {
      const page = await browser.open('/docs');
      await page.getByText('The tokens of the demo are filled in').waitFor();
      const operation = await openOperation(page, 'Users', 'getEnvironmentUsers');
      const description = await operation.locator('.opblock-description-wrapper').innerText();
      expect(description).toContain('environment.users.read');
      for (const fact of ['Caller:', 'Errors:', 'Limits:', 'Events:']) expect(description).toContain(fact);
      const { status, body } = await execute(operation);
      expect(status).toBe('200');
      expect(body).toContain('"count": 3');
      await page.close();
    });

    test('creates something with the example as it is', async () => {
      const page = await browser.open('/docs');
      const { status, body } = await execute(await openOperation(page, 'Users', 'createUser'));
      expect(status).toBe('201');
      expect(body).toContain('alan@example.com');
      await page.close();
    });

    test('fits a phone, with an operation executed and with the dialog open', async () => {
      const page = await browser.open('/docs', PHONE);
      const operation = await openOperation(page, 'Webhooks', 'getWebhooks');
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      expect((await execute(operation)).status).toBe('200');
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      const button = await operation.locator('button.execute').boundingBox();
      expect((button?.x ?? 0) + (button?.width ?? Infinity)).toBeLessThanOrEqual(PHONE.width);

      await page.locator('button.authorize').click();
      const dialog = await page.locator('.modal-ux').boundingBox();
      expect(dialog?.x).toBeGreaterThan(0);
      expect((dialog?.x ?? 0) + (dialog?.width ?? Infinity)).toBeLessThan(PHONE.width);

      await page.evaluate(
        "document.body.append(Object.assign(document.createElement('hr'), { style: 'width: 900px' }))",
      );
      expect(await overflowOf(page)).toBeGreaterThan(0);
      await page.close();
    });

    test('has examples that work when they are sent with the token of the demo', async () => {
      const document = (await (await fetch(`${quickstart.docs}/openapi.json`)).json()) as OpenApiDocument;
      const sent: string[] = [];
      const unexpected: string[] = [];
      for (const { path, item, operation } of operationsOf(document)) {
        const parameters = (operation.parameters ?? []).filter((one) => 'in' in one && one.in === 'path');
        const values = parameters.map((one) => ('example' in one ? [`{${one.name}}`, String(one.example)] : null));
        const body = operation.requestBody && 'content' in operation.requestBody ? operation.requestBody : null;
        const example: unknown = body?.content['application/json']?.example;
        const forDemo = operation['x-token-scope'] !== undefined || operation['x-audience'] === 'public';
        if (isOfOneCall(operation.operationId ?? '', example)) continue;
        if (!forDemo || values.includes(null) || (item.get !== operation && example === undefined)) continue;

        const address = values.reduce((text, value) => text.replace(value?.[0] ?? '', value?.[1] ?? ''), path);
        const answer = await fetch(`${quickstart.api}${address}`, {
          method: item.get === operation ? 'GET' : item.post === operation ? 'POST' : 'PUT',
          headers: {
            authorization: `Bearer ${quickstart.environments.sandbox.apiToken}`,
            ...(example !== undefined && { 'content-type': 'application/json' }),
          },
          body: example === undefined ? undefined : JSON.stringify(example),
        });
        const id = operation.operationId ?? '';
        if (answer.ok !== !(id in NOT_IN_THE_DEMO)) unexpected.push(`${id}: ${answer.status} ${await answer.text()}`);
        sent.push(operation.operationId ?? '');
      }
      expect(unexpected).toEqual([]);
      expect(sent).toEqual(
        expect.arrayContaining(['getWebhooks', 'createEmbeddedWallet', 'createWebhook', 'postToken', 'bulkCreateUser']),
      );
    });
  });

  describe('the inbox', () => {
    test('shows a code with a button that copies it', async () => {
      await sendCode('reader@example.com');
      const page = await browser.open('/dev/inbox');
      expect(await page.locator('.banner').innerText()).toContain('Development only');
      const letter = page.locator('article').filter({ hasText: 'reader@example.com' });
      const code = await letter.locator('.code code').innerText();
      expect(code).toMatch(/^\d{6}$/);
      await letter.getByRole('button', { name: 'Copy code' }).click();
      await letter.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code);
      await page.setViewportSize(PHONE);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await page.close();
    });
  });

  describe('the webhook catcher', () => {
    test('shows what came, with the verdict on its signature', async () => {
      const page = await browser.open('/dev/webhooks', PHONE);
      expect(await page.locator('.banner').innerText()).toContain('Development only');
      expect(await page.getByText('signature verified').count()).toBeGreaterThan(3);
      expect(await page.getByText('signature not good').count()).toBe(0);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await page.close();
    });
  });

  describe('the page of an error', () => {
    test('opens from the address in the error and tells cause, fix and an example', async () => {
      const answer = await fetch(`${quickstart.api}/organizations`);
      const { code, docUrl } = (await answer.json()) as { code: string; docUrl: string };
      const page = await browser.open(docUrl, PHONE);
      expect(await page.locator('h1').innerText()).toBe(code);
      expect(await page.locator('h2').allInnerTexts()).toEqual(['When it happens', 'What to do', 'Example']);
      await page.getByRole('link', { name: 'All errors' }).click();
      await page.getByRole('link', { name: code, exact: true }).waitFor();
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await page.close();
    });
  });

  test('no page asked another machine for anything, and none complained', async () => {
    expect(browser.foreignRequests).toEqual([]);
    expect(browser.complaints).toEqual([]);

    const page = await browser.open('/dev/inbox');
    await page.evaluate("fetch('http://192.0.2.1/').catch(() => null)");
    expect(browser.complaints.join()).toContain('Content Security Policy');
    await page.goto('http://127.0.0.1:1/').catch(() => null);
    expect(browser.foreignRequests).toEqual(['http://127.0.0.1:1/']);
    await page.close();
  });
});
