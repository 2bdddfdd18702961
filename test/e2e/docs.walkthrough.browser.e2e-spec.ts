import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { Quickstart } from '../../src/dev/index.js';
import { BrowsedService } from '../support/browsed-service.js';
import { type Browser, carryAuthenticator, overflowOf, PHONE, tabOf } from '../support/browser.js';
import { describeWithChrome } from '../support/chrome.js';
import { ownerHeaders } from '../support/console-session.js';
import { DnsServer } from '../support/dns-server.js';
import { Explorer } from '../support/explorer.js';
import { OpenIdPeer } from '../support/openid-peer.js';
import { eventually } from '../support/receiver.js';
import { codeOf } from '../support/second-factor.js';

const EMAIL = 'new.member@example.com';
const SITE = 'https://shop.example.com';
/** High enough for an operation and its answer to be seen at once. */
const WINDOW = { width: 1280, height: 1900 };

jest.setTimeout(180_000);

interface Named {
  id: string;
}

describeWithChrome('somebody new, with nothing but the inbox and /docs,', (chrome) => {
  let own: BrowsedService;
  let browser: Browser;
  let quickstart: Quickstart;
  let explorer: Explorer;
  let dns: DnsServer;
  let peer: OpenIdPeer;

  beforeAll(async () => {
    [dns, peer] = await Promise.all([DnsServer.start(), OpenIdPeer.start()]);
    // One person who is signed in by more codes than three within a minute, where the machine is quick.
    own = await BrowsedService.start(chrome, { DNS_SERVERS: dns.address, RATE_LIMIT_SCALE: '10' });
    ({ browser } = own);
    ({ quickstart } = own.service);
    const page = await browser.open('/docs', WINDOW);
    await page.getByText('The demo tokens are filled in').waitFor();
    await page.locator('#explorer[data-ready]').waitFor();
    explorer = new Explorer(page, 'walkthrough');
  }, 120_000);

  afterAll(async () => {
    await own?.close();
    await peer?.stop();
    dns?.close();
  });

  /** Reads something in the newest letter to the address. */
  async function inNewestLetter<T>(
    read: (page: Page, letter: ReturnType<Page['locator']>) => Promise<T>,
    to = EMAIL,
  ): Promise<T> {
    const page = await browser.open('/dev/inbox');
    const found = await read(page, page.locator('article').filter({ hasText: to }).first());
    await page.close();
    return found;
  }

  /** Notices about the account may come after it. */
  const newestCode = (): Promise<string> =>
    inNewestLetter((page) => {
      const letters = page.locator('article').filter({ hasText: EMAIL, has: page.locator('.code') });
      return letters.first().locator('.code code').innerText();
    });

  /** A call from beside the page. */
  async function call<T>(
    method: string,
    path: string,
    { body, headers }: { body?: object; headers: Record<string, string> },
  ): Promise<T> {
    const answer = await fetch(`${quickstart.api}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as T;
  }

  let environmentId: string;

  test('is invited by the owner, who signs in at the explorer with a code and stays signed in over a reload', async () => {
    const { email } = quickstart.dashboard;
    await explorer.signIn(email, () => inNewestLetter((_, letter) => letter.locator('.code code').innerText(), email));
    await explorer.reload();
    await explorer.says(`Signed in as ${email}`);
    const { organizationId } = quickstart;
    const parameters = { organizationId };
    const body = { email: EMAIL, role: 'admin' };
    const sent = await explorer.execute('Invites', 'createInvite', { parameters, body });
    expect(sent.status).toBe(200);
  });

  test('finds the invite in the inbox, and accepts it on the page it leads to with a code', async () => {
    const link = await inNewestLetter(async (page, letter) => {
      await explorer.screenshot('inbox', page);
      return /http\S+\/invites\/\S+/.exec(await letter.innerText())?.[0] ?? '';
    });
    expect(link.startsWith(own.service.url)).toBe(true);
    const page = await browser.open(link);
    await explorer.screenshot('invite', page);
    expect(await page.locator('main').innerText()).toContain('admin');
    expect(await page.getByLabel('Email').inputValue()).toBe(EMAIL);
    await page.getByRole('button', { name: 'Send a code' }).click();
    await page.getByText('A code was sent to').waitFor();
    const code = await inNewestLetter((_, letter) => letter.locator('.code code').innerText());
    await page.getByLabel('Code', { exact: true }).fill(code);
    await explorer.screenshot('invite-code', page);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Accept' }).waitFor();
    await page.setViewportSize(PHONE);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await explorer.screenshot('invite-accept', page);
    const answers: string[] = [];
    page.on('request', (request) => void (request.method() === 'PUT' && answers.push(request.url())));
    await page.getByRole('button', { name: 'Accept' }).dblclick();
    await page.getByText('You are now a member.').waitFor();
    expect(answers).toHaveLength(1);
    await explorer.screenshot('invite-done', page);
    await page.setViewportSize(WINDOW);
    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    explorer = new Explorer(page, 'walkthrough-member');
    await explorer.says(`Signed in as ${EMAIL}`);
    await page.locator('#explorer[data-ready]').waitFor();
  });

  test('is a member', async () => {
    const own = await explorer.execute<{ organizations: Named[] }>('Organizations', 'getOrganizationsForMember');
    expect(own.body.organizations).toMatchObject([{ id: quickstart.organizationId }]);
  });

  test('creates a project', async () => {
    const { organizationId } = quickstart;
    const made = await explorer.execute<{
      project: { projectEnvironments: { id: string; environmentName: string }[] };
    }>('Projects', 'createProject', { parameters: { organizationId }, body: { name: 'Web shop' } });
    expect(made.status).toBe(200);
    const { projectEnvironments } = made.body.project;
    environmentId = projectEnvironments.find(({ environmentName }) => environmentName === 'sandbox')?.id ?? '';
  });

  test('mints a token of its sandbox, which works', async () => {
    const minted = await explorer.execute<{ token: { rawToken: string } }>('Tokens', 'postToken', {
      parameters: { environmentId },
      body: { note: 'Reads users', scopes: ['environment.users.read'] },
    });
    expect(minted.status).toBe(201);
    const answer = await fetch(`${quickstart.api}/environments/${environmentId}/users`, {
      headers: { authorization: `Bearer ${minted.body.token.rawToken}` },
    });
    expect(answer.status).toBe(200);
  });

  test('allows a site, which browsers may call from', async () => {
    const added = await explorer.execute('Origins', 'addOrigin', {
      parameters: { environmentId },
      body: { origin: SITE },
    });
    expect(added.status).toBe(201);
    const answer = await fetch(`${quickstart.api}/sdk/${environmentId}/settings`, { headers: { origin: SITE } });
    expect(answer.headers.get('access-control-allow-origin')).toBe(SITE);
  });

  test('sees in the audit trail who did all of it', async () => {
    const { organizationId } = quickstart;
    const { status, body } = await explorer.execute<{
      data: { action: string }[];
    }>('Organizations', 'getAuditRecords', { parameters: { organizationId } });
    expect(status).toBe(200);
    const actions = body.data.map(({ action }) => action);
    expect(actions.slice(0, 5)).toEqual([
      'origin.created',
      'apiToken.created',
      'project.created',
      'member.added',
      'invite.accepted',
    ]);
  });

  /** The page on which the member works, and its form. */
  const atForm = async (): Promise<Page> => {
    const { page } = explorer;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
    await page.locator('#code-form').getByLabel('Email').fill(EMAIL);
    await page.getByRole('button', { name: 'Send a code' }).click();
    return page;
  };

  test('signs in at the provider of the organization, once its domain is verified', async () => {
    const { organizationId, consoleEnvironmentId } = quickstart;
    const base = `${quickstart.api}/sdk/${consoleEnvironmentId}`;
    peer.serve([`${base}/providers/okta/redirect`], ['client_secret_basic']);
    peer.account = { sub: 'new-member', email: EMAIL, email_verified: true };
    const path = `/organizations/${organizationId}/ssoProvider`;
    const headers = await ownerHeaders(quickstart);
    const client = { clientId: 'client', clientSecret: 'secret-of-the-client', provider: 'okta' };
    const claim = { ...client, ssoDomain: peer.issuer, emailDomain: EMAIL.split('@')[1] };
    const setup = await call<{ id: string; domainProof: { name: string; value: string } }>('POST', path, {
      body: claim,
      headers,
    });
    dns.set('TXT', setup.domainProof.name, setup.domainProof.value);
    const proven = await call<{ domainProof: { status: string } }>('POST', `${path}/${setup.id}/domainProof`, {
      headers,
    });
    expect(proven.domainProof.status).toBe('proven');

    const page = await atForm();
    const link = page.getByRole('link', { name: 'Sign in with your organization' });
    await link.waitFor();
    await explorer.screenshot('single-sign-on');
    const elsewhere = await tabOf(page, link);
    // The page that asks whether the provider has answered signs in by itself.
    await explorer.says(`Signed in as ${EMAIL}`);
    await elsewhere.waitForLoadState();
    await elsewhere.close();
    const own = await explorer.execute<{ organizations: Named[] }>('Organizations', 'getOrganizationsForMember');
    expect(own.body.organizations).toMatchObject([{ id: organizationId }]);
  });

  /** A code by mail, up to where a second factor is asked for. */
  const givesFirst = async (page: Page): Promise<Locator> => {
    await page.locator('#code-form').getByRole('button', { name: 'Send a code instead' }).click();
    await page.getByText('A code was sent to').waitFor();
    const code = await newestCode();
    await page.getByLabel('Code', { exact: true }).fill(code);
    await page.locator('#code-form').getByRole('button', { name: 'Sign in' }).click();
    return page.getByLabel('Code from your authenticator');
  };

  test('gives a code of the account’s authenticator, also after a reload, and continues', async () => {
    const { consoleEnvironmentId } = quickstart;
    const mfa = `/sdk/${consoleEnvironmentId}/users/mfa`;
    const kept = await explorer.page.evaluate<string>("JSON.parse(sessionStorage.getItem('gatehouse.session')).jwt");
    const headers = { authorization: `Bearer ${kept}` };
    const { secret } = await call<{ secret: string }>('GET', `${mfa}/register/totp`, { headers });
    const verification = { type: 'totp', code: codeOf(secret) };
    await call('POST', `${mfa}/register/totp`, { body: verification, headers });

    const page = await atForm();
    const second = await givesFirst(page);
    await second.waitFor();
    expect(await page.getByRole('button', { name: 'Use a passkey' }).isVisible()).toBe(false);
    await page.reload();
    await second.waitFor();
    await page.setViewportSize(PHONE);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await explorer.screenshot('second-factor');
    await page.setViewportSize(WINDOW);
    await second.fill('000000');
    await page.getByRole('button', { name: 'Continue' }).click();
    await eventually('the page says that the code is wrong', async () =>
      /code/i.test(await page.locator('#code-form [role=status]').innerText()),
    );
    // The code of the next step: that of the present one is used up.
    await second.fill(codeOf(secret, 1));
    await page.getByRole('button', { name: 'Continue' }).click();
    await explorer.says(`Signed in as ${EMAIL}`);
    await page.locator('#explorer[data-ready]').waitFor();
    const own = await explorer.execute<{ organizations: Named[] }>('Organizations', 'getOrganizationsForMember');
    expect(own.status).toBe(200);
  });

  const factors = (): Locator => explorer.page.locator('#factors');
  const openFactors = async (): Promise<Locator> => {
    await factors().getByText('Your second factors').click();
    await factors().locator('li').first().waitFor();
    return factors();
  };

  test('adds a passkey on the page, and keeps the recovery codes that it brings', async () => {
    await carryAuthenticator(explorer.page);
    const part = await openFactors();
    // Nothing here could prove who it is.
    expect(await part.getByRole('button', { name: 'Remove' }).count()).toBe(0);
    expect(await part.locator('#remove-how').innerText()).toContain('authMfaTotpDevice');
    await part.getByRole('button', { name: 'Add a passkey' }).click();
    await part.getByText('The passkey was added').waitFor();
    const codes = part.locator('#recovery-codes');
    await codes.waitFor();
    expect((await codes.innerText()).split('\n')).toHaveLength(10);
    await explorer.page.setViewportSize(PHONE);
    expect(await overflowOf(explorer.page)).toBeLessThanOrEqual(0);
    await explorer.screenshot('passkey-added');
    await explorer.page.setViewportSize(WINDOW);
    await part.getByRole('button', { name: 'I have saved them' }).click();
    await codes.waitFor({ state: 'hidden' });
    expect(await part.getByRole('button', { name: 'Remove' }).count()).toBe(2);
    expect(await part.locator('#remove-how').isVisible()).toBe(false);
    expect(await part.locator('li').evaluateAll((lines) => lines.map(({ dataset }) => dataset['type']))).toEqual([
      'totp',
      'passkey',
    ]);
    // A passkey that was added in this session proves nothing yet.
    await part.getByRole('button', { name: 'Verify your identity' }).click();
    await part.getByText('On this page: sign out, and sign in again.').waitFor();
  });

  test('signs in with it, gives a fresh proof, and removes the authenticator app with it', async () => {
    const page = await atForm();
    await givesFirst(page);
    const passkey = page.getByRole('button', { name: 'Use a passkey' });
    await passkey.waitFor();
    await explorer.screenshot('second-factor-passkey');
    await passkey.click();
    await explorer.says(`Signed in as ${EMAIL}`);
    await page.locator('#explorer[data-ready]').waitFor();

    const part = await openFactors();
    await part.getByRole('button', { name: 'Verify your identity' }).click();
    await part.getByText('Verified').waitFor();
    await explorer.screenshot('proven');
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/tokens'));
    const minted = await explorer.execute('Tokens', 'postToken', {
      parameters: { environmentId },
      body: { note: 'Made with a proof', scopes: ['environment.users.read'] },
    });
    expect(minted.status).toBe(201);
    expect((await sent).headers()['x-elevated-access-token']).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);

    await part.locator('li[data-type=passkey]').getByRole('button', { name: 'Make default' }).click();
    await part.locator('li[data-type=passkey]').getByText('default').waitFor();
    await part.locator('li[data-type=totp]').getByRole('button', { name: 'Remove' }).click();
    await part.getByText('The factor was removed.').waitFor();
    expect(await part.locator('li').count()).toBe(1);
  });

  test('logged only refusals, and called no host except the provider', () => {
    expect(new Set(browser.foreignRequests.map((url) => new URL(url).origin))).toEqual(new Set([peer.issuer]));
    expect(browser.complaints.filter((text) => !/status of (?:403|422)/.test(text))).toEqual([]);
  });
});
