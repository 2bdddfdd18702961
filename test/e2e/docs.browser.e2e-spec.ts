import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { Quickstart } from '../../src/dev/index.js';
import { operationsOf, type OpenApiDocument } from '../../src/openapi/document-types.js';
import { BrowsedService } from '../support/browsed-service.js';
import { type Browser, DESKTOP, overflowOf, PHONE } from '../support/browser.js';
import { describeWithChrome } from '../support/chrome.js';
import { faintTexts } from '../support/contrast.js';
import { ownerHeaders } from '../support/console-session.js';
import { NOT_AS_IT_IS } from '../support/examples.js';
import { Explorer } from '../support/explorer.js';
import { eventually } from '../support/receiver.js';
import { peerSettings } from '../support/suites/peers.js';

/** A browser, the service and another suite share the machine. */
jest.setTimeout(240_000);

describeWithChrome('in a browser', (chrome) => {
  let own: BrowsedService;
  let browser: Browser;
  let quickstart: Quickstart;

  beforeAll(async () => {
    // The owner of the demo is sent more codes than three within a minute, where the machine is quick.
    own = await BrowsedService.start(chrome, { RATE_LIMIT_SCALE: '10', ...(await peerSettings()) });
    ({ browser } = own);
    ({ quickstart } = own.service);
  }, 120_000);

  afterAll(() => own?.close());

  async function openOperation(page: Page, tag: string, id: string): Promise<Locator> {
    const operation = page.locator(`#operations-${tag}-${id}`);
    if (!(await operation.isVisible())) await page.locator(`#operations-tag-${tag}`).click();
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

  interface Sent {
    status: number;
    authorization: string | undefined;
    key: string | undefined;
  }

  /** What goes out when the button is pressed, and how it is answered. */
  async function press(operation: Locator): Promise<Sent> {
    const answered = operation.page().waitForResponse((one) => one.url().startsWith(`${quickstart.api}/`));
    await operation.locator('button.execute').click();
    const answer = await answered;
    const headers = answer.request().headers();
    return { status: answer.status(), authorization: headers['authorization'], key: headers['idempotency-key'] };
  }

  /** A call from beside the page, with the token of the sandbox unless others are given. */
  async function call<T>(
    method: string,
    path: string,
    { body, headers }: { body?: object; headers?: Record<string, string> } = {},
  ): Promise<{ status: number; body: T }> {
    const answer = await fetch(`${quickstart.api}${path}`, {
      method,
      headers: {
        ...(headers ?? { authorization: `Bearer ${quickstart.environments.sandbox.apiToken}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: (text ? JSON.parse(text) : null) as T };
  }

  /** What is filled in and would destroy something, make somebody an owner, or is the name of a type. */
  const dangersIn = (document: OpenApiDocument): string[] =>
    operationsOf(document).flatMap(({ item, operation }) => {
      const { operationId = '', parameters = [], requestBody, responses } = operation;
      const shown = JSON.stringify([requestBody, ...Object.values(responses)].map(examplesIn));
      const filledIn = parameters.filter((one) => 'in' in one && one.in !== 'header' && 'example' in one);
      return [
        ...(item.delete === operation && filledIn.length > 0 ? [`${operationId}: names what is deleted`] : []),
        ...(/"role":"owner"/.test(JSON.stringify(examplesIn(requestBody))) ? [`${operationId}: makes an owner`] : []),
        ...(/[:[,]"string"/.test(shown) ? [`${operationId}: "string"`] : []),
      ];
    });
  const examplesIn = (holder: unknown): unknown[] =>
    Object.values((holder as { content?: Record<string, { example?: unknown }> } | undefined)?.content ?? {}).map(
      ({ example }) => example ?? null,
    );

  async function sendCode(email: string): Promise<void> {
    const path = `${quickstart.api}/sdk/${quickstart.environments.sandbox.id}/emailVerifications/create`;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ email }) });
    expect(answer.status).toBe(201);
  }

  interface Letter {
    to: string;
    code: string | null;
  }
  async function newestCodeTo(email: string): Promise<string> {
    const letters = await fetch(quickstart.inbox, { headers: { accept: 'application/json' } });
    const found = ((await letters.json()) as Letter[]).find(({ to, code }) => to === email && code !== null);
    return found?.code ?? '';
  }

  const NO_GLOBAL_WALLET = 'the demo sets up no global wallet';
  const RANGE = 'asks in its query for a range of days';
  const NO_RAMP = 'the demo has no account at a vendor';
  const BEGUN = 'goes on with a sign-in that has begun';
  /** Examples that find nothing in the demo, and why. */
  const NOT_IN_THE_DEMO: Readonly<Record<string, string>> = {
    getGlobalWalletAccessControlList: NO_GLOBAL_WALLET,
    getGlobalWalletSettings: NO_GLOBAL_WALLET,
    getGlobalWalletsSettings: NO_GLOBAL_WALLET,
    getEmailProvider: 'asks for an address in its query',
    cbOauthRedirect: BEGUN,
    oauthAuthorizeHtml: BEGUN,
    oauthLoginUrl: BEGUN,
    oauthResult: BEGUN,
    oauthRedirectCode: BEGUN,
    oauthSignIn: BEGUN,
    initAuth: 'begins with a state that nobody can guess',
    getNameService: 'the demo gives no names out',
    externalAuthSignin: 'the demo trusts no other service',
    getTelegramAuth: 'asks in its query for a login that has begun',
    getAnalyticsEngagement: RANGE,
    getAnalyticsOverview: RANGE,
    getAnalyticsTopline: RANGE,
    getAnalyticsWallets: RANGE,
    getWaasPolicy: 'the demo has no signing policy',
    getEmbeddedWalletPasscode: 'the demo has no wallet with a shared key',
    getEmbeddedWalletBackups: 'the demo has no wallet with a shared key',
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
    test('is authorized, shows what an operation needs, and executes it', async () => {
      const page = await browser.open('/docs');
      await page.getByText('The demo tokens are filled in').waitFor();
      expect(await page.getByRole('link', { name: 'Development pages' }).isVisible()).toBe(true);
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

    test('sends each operation with the credential it needs, also after a reload', async () => {
      const { sandbox } = quickstart.environments;
      const page = await browser.open('/docs');
      const explorer = new Explorer(page, 'docs');
      /** Of an operation for servers, and of one for members. */
      const credentials = async (): Promise<(string | undefined)[]> => {
        const sent: Sent[] = [];
        for (const [tag, id] of [
          ['Users', 'getEnvironmentUsers'],
          ['Organizations', 'getOrganizationsForMember'],
        ] as const) {
          sent.push(await press(await openOperation(page, tag, id)));
        }
        expect(sent.map(({ status }) => status)).toEqual([200, 200]);
        // The address names the operation that was opened last, which would be open after a reload.
        await page.evaluate("history.replaceState(null, '', location.pathname)");
        return sent.map(({ authorization }) => authorization?.replace('Bearer ', ''));
      };
      await explorer.ready();
      expect(await credentials()).toEqual([sandbox.apiToken, quickstart.dashboard.userToken]);
      await explorer.reload();
      await explorer.says('The demo tokens are filled in');

      const minted = await call<{ token: { rawToken: string } }>('POST', `/environments/${sandbox.id}/tokens`, {
        body: { note: 'For the explorer', scopes: ['environment.users.read'] },
      });
      const { rawToken } = minted.body.token;
      await explorer.authorize(rawToken, 'apiToken');
      await explorer.says('Using your API token');
      await explorer.reload();
      await explorer.says('Using your API token');
      expect(await credentials()).toEqual([rawToken, quickstart.dashboard.userToken]);
      await page.evaluate('scrollTo(0, 0)');
      await explorer.screenshot('as-token');
      await page.setViewportSize(PHONE);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await explorer.screenshot('as-token-phone');
      await page.setViewportSize(DESKTOP);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await explorer.says('The demo tokens are filled in');

      const { email } = quickstart.dashboard;
      await explorer.ready();
      await explorer.signIn(email, () => newestCodeTo(email));
      const session = await page.evaluate<string>("JSON.parse(sessionStorage.getItem('gatehouse.session')).jwt");
      expect(await credentials()).toEqual([session, session]);
      await explorer.reload();
      await explorer.says(`Signed in as ${email}`);
      await explorer.screenshot('as-owner');
      await page.setViewportSize(PHONE);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await explorer.screenshot('as-owner-phone');
      await page.close();
    });

    test('renews the token of a session before it expires, for a duplicate of the tab as well', async () => {
      const page = await browser.open('/docs');
      const explorer = new Explorer(page, 'renewed');
      const { email } = quickstart.dashboard;
      await explorer.ready();
      await explorer.signIn(email, () => newestCodeTo(email));
      const operation = await openOperation(page, 'Organizations', 'getOrganizationsForMember');
      const first = (await press(operation)).authorization;
      expect((await press(operation)).authorization).toBe(first);

      const KEPT = "JSON.parse(sessionStorage.getItem('gatehouse.session'))";
      const opened = page.context().waitForEvent('page');
      await page.evaluate("void window.open('/docs')");
      const twin = await opened;
      const other = new Explorer(twin, 'renewed-twin');
      await other.ready();
      await other.says(`Signed in as ${email}`);
      await page.evaluate(
        `sessionStorage.setItem('gatehouse.session', JSON.stringify({ ...${KEPT}, expiresAt: Date.now() / 1000 + 60 }))`,
      );
      const answered = page.waitForResponse((one) => new URL(one.url()).pathname.endsWith('/organizations'));
      await operation.locator('button.execute').click();
      const answer = await answered;
      const renewed = answer.request().headers()['authorization'];
      expect([answer.status(), renewed === first]).toEqual([200, false]);
      for (const tab of [page, twin]) {
        await tab.waitForFunction(
          (token) => sessionStorage.getItem('gatehouse.session')?.includes(token),
          renewed!.slice(7),
        );
      }
      const same = await openOperation(twin, 'Organizations', 'getOrganizationsForMember');
      expect(await press(same)).toMatchObject({ status: 200, authorization: renewed });
      await twin.close();
      await page.close();
    });

    test('says that the session has ended, and sends it no longer', async () => {
      const page = await browser.open('/docs');
      const explorer = new Explorer(page, 'ended');
      const { email } = quickstart.dashboard;
      await explorer.ready();
      await explorer.signIn(email, () => newestCodeTo(email));
      const operation = await openOperation(page, 'Organizations', 'getOrganizationsForMember');
      const kept = { authorization: (await press(operation)).authorization ?? '' };
      const sdk = `/sdk/${quickstart.consoleEnvironmentId}`;
      expect((await call('POST', `${sdk}/revoke`, { headers: kept })).status).toBe(204);
      expect(await press(operation)).toMatchObject({ status: 401, ...kept });
      await explorer.says('Your session has ended: sign in again');
      expect(await page.getByRole('button', { name: 'Sign in', exact: true }).first().isVisible()).toBe(true);
      expect((await press(operation)).authorization).toBeUndefined();
      await page.close();
    });

    test('sends a new idempotency key with each click: executing an example twice creates two things', async () => {
      const path = `/environments/${quickstart.environments.sandbox.id}/webhooks`;
      const count = async (): Promise<number> => (await call<{ data: object[] }>('GET', path)).body.data.length;
      const before = await count();
      const page = await browser.open('/docs');
      const operation = await openOperation(page, 'Webhooks', 'createWebhook');
      const sent = [await press(operation), await press(operation)];
      expect(sent.map(({ status }) => status)).toEqual([201, 201]);
      for (const { key } of sent)
        expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(sent[0]?.key).not.toBe(sent[1]?.key);
      expect(await count()).toBe(before + 2);
      await page.close();
    });

    test('offers the accepted credentials for each operation, and none for public ones', async () => {
      const document = (await (await fetch(`${quickstart.docs}/openapi.json`)).json()) as OpenApiDocument;
      const named = operationsOf(document).map(({ operation }) => {
        const { 'x-audience': audience, 'x-token-scope': scope, 'x-any-token': any, security = [] } = operation;
        const takesTokens = scope !== undefined || any === true;
        const kind = audience === 'dashboard' && takesTokens ? 'servers' : String(audience);
        return `${kind}: ${security.flatMap((one) => Object.keys(one)).join()}`;
      });
      expect(named.length).toBeGreaterThanOrEqual(333);
      expect([...new Set(named)].sort()).toEqual([
        'dashboard: member',
        'end-user: endUser',
        'public: ',
        'servers: member,apiToken',
      ]);
    });

    test('prefills nothing that deletes, that makes somebody an owner, or that is the name of a type', async () => {
      const document = (await (await fetch(`${quickstart.docs}/openapi.json`)).json()) as OpenApiDocument;
      expect(dangersIn(document)).toEqual([]);
      const planted = structuredClone(document);
      const { delete: removal, put: change } = planted.paths['/projects/{projectId}']!;
      Object.assign(
        removal!.parameters!.find((one) => 'in' in one && one.in === 'path')!,
        {
          example: quickstart.projectId,
        },
      );
      Object.assign(change!, { requestBody: { content: { 'application/json': { example: { name: 'string' } } } } });
      const { post: invite } = planted.paths['/organizations/{organizationId}/invites']!;
      Object.assign(invite!, { requestBody: { content: { 'application/json': { example: { role: 'owner' } } } } });
      expect(dangersIn(planted).sort()).toEqual([
        'createInvite: makes an owner',
        'deleteProjectById: names what is deleted',
        'updateProject: "string"',
      ]);

      const page = await browser.open('/docs');
      const calls: string[] = [];
      page.on('request', (request) => calls.push(request.method()));
      const operation = await openOperation(page, 'Projects', 'deleteProjectById');
      expect(await operation.locator('tr[data-param-name=projectId] input').inputValue()).toBe('');
      await operation.locator('button.execute').click();
      await operation.locator('tr[data-param-name=projectId] input.invalid').waitFor();
      expect(calls).not.toContain('DELETE');
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

    test('has no text that stands out too little from its ground', async () => {
      const page = await browser.open('/docs');
      await page.locator('#explorer[data-ready]').waitFor();
      for (const id of ['getEnvironmentGates', 'createGate', 'updateGate', 'deleteGate']) {
        await (await openOperation(page, 'Gates', id)).locator('button.execute').waitFor();
      }
      await execute(page.locator('#operations-Gates-getEnvironmentGates'));
      await page.locator('.auth-wrapper button.authorize').click();
      await page.locator('.modal-ux').waitFor();
      expect(await faintTexts(page)).toEqual([]);
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
    test('shows received requests, with the result of the signature check', async () => {
      const page = await browser.open('/dev/webhooks', PHONE);
      expect(await page.locator('.banner').innerText()).toContain('Development only');
      expect(await page.getByText('signature valid').count()).toBeGreaterThan(3);
      expect(await page.getByText('signature invalid').count()).toBe(0);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await page.close();
    });
  });

  describe('the page of an error', () => {
    test('opens from the URL in the error and shows cause, fix and an example', async () => {
      const answer = await fetch(`${quickstart.api}/organizations`);
      const { code, docUrl } = (await answer.json()) as { code: string; docUrl: string };
      const page = await browser.open(docUrl);
      const pictures = new Explorer(page, 'error');
      await pictures.screenshot('page');
      await page.setViewportSize(PHONE);
      await pictures.screenshot('page-phone');
      expect(await page.locator('h1').innerText()).toBe(code);
      expect(await page.locator('h2').allInnerTexts()).toEqual(['When it happens', 'What to do', 'Example']);
      await page.getByRole('link', { name: 'All errors' }).click();
      await page.getByRole('link', { name: code, exact: true }).waitFor();
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await page.close();
    });
  });

  describe('the demo whose project is deleted', () => {
    test('leaves no invalid token, neither on an open page nor on the next one', async () => {
      const { sandbox } = quickstart.environments;
      const page = await browser.open('/docs');
      const explorer = new Explorer(page, 'demo-gone');
      await explorer.ready();
      const operation = await openOperation(page, 'Webhooks', 'getWebhooks');
      const headers = await ownerHeaders(quickstart);
      const projects = `/organizations/${quickstart.organizationId}/projects`;
      expect((await call('POST', projects, { body: { name: 'Another' }, headers })).status).toBe(200);
      expect((await call('DELETE', `/projects/${quickstart.projectId}`, { headers })).status).toBe(204);
      await eventually(
        'its tokens are dead',
        async () => (await call('GET', `/environments/${sandbox.id}/webhooks`)).status === 401,
      );

      expect(await press(operation)).toMatchObject({ status: 401, authorization: `Bearer ${sandbox.apiToken}` });
      await explorer.says('The demo and its tokens were deleted');
      expect((await press(operation)).authorization).toBeUndefined();
      await explorer.screenshot('said');
      await explorer.reload();
      await explorer.says('Not signed in');
      const kept = await page.evaluate<string>('JSON.stringify(sessionStorage) + document.documentElement.outerHTML');
      for (const dead of [sandbox.apiToken, quickstart.dashboard.userToken]) expect(kept).not.toContain(dead);
      await page.close();
    });
  });

  test('no page called another host, and none logged an error', async () => {
    expect(browser.foreignRequests).toEqual([]);
    // What was refused after the demo was gone is no fault of a page.
    expect(browser.complaints.filter((text) => !text.includes('status of 401'))).toEqual([]);

    const page = await browser.open('/dev/inbox');
    await page.evaluate("fetch('http://192.0.2.1/').catch(() => null)");
    expect(browser.complaints.join()).toContain('Content Security Policy');
    await page.goto('http://127.0.0.1:1/').catch(() => null);
    expect(browser.foreignRequests).toEqual(['http://127.0.0.1:1/']);
    await page.close();
  });
});
