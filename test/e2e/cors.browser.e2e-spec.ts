import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { Browser } from '../support/browser.js';
import { describeWithChrome } from '../support/chrome.js';
import { newEmail, World } from '../support/world.js';

/** Runs in the page, which has neither the types nor the modules of this file. */
const CALL = `async ([url, method, token, body]) => {
  try {
    const answer = await fetch(url, {
      method,
      credentials: 'include',
      headers: { ...(token && { authorization: 'Bearer ' + token }), ...(body && { 'content-type': 'application/json' }) },
      body: body ? JSON.stringify(body) : undefined,
    });
    const text = await answer.text();
    return { status: answer.status, requestId: answer.headers.get('x-request-id'), body: text ? JSON.parse(text) : null };
  } catch (error) {
    return { refused: error.name };
  }
}`;

interface Seen {
  status?: number;
  requestId?: string | null;
  body?: Record<string, unknown> | null;
  refused?: string;
}

describeWithChrome('a page on another origin', (chrome) => {
  let test: TestApp;
  let world: World;
  let site: Server;
  let browser: Browser;
  let allowed: Page;
  let stranger: Page;

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
    site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<title>A site</title>'));
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const { port } = site.address() as AddressInfo;
    // One server with two names, so two origins, neither of them the service's.
    const [known, unknown] = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
    await world.owner.post(world.path('/origins'), { origin: known }, { expect: 201 });
    browser = await Browser.launch(chrome, known);
    allowed = await browser.open('/');
    stranger = await browser.open(unknown);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    site?.close();
    await test?.close();
  });

  const from = (
    page: Page,
    method: string,
    path: string,
    { token = null, body = null }: { token?: string | null; body?: object | null } = {},
  ): Promise<Seen> => {
    const call = JSON.stringify([`${test.url}/api/v0${path}`, method, token, body]);
    return page.evaluate<Seen>(`(${CALL})(${call})`);
  };

  it('reads the settings of an environment that allows it, and cannot of one that does not', async () => {
    const path = world.sdk('/settings');
    expect(await from(allowed, 'GET', path)).toMatchObject({ status: 200, requestId: expect.any(String) });
    expect(await from(stranger, 'GET', path)).toEqual({ refused: 'TypeError' });
    const elsewhere = await World.create(test);
    expect(await from(allowed, 'GET', elsewhere.sdk('/settings'))).toEqual({ refused: 'TypeError' });
  });

  it('signs a user in and changes the profile, with preflight requests', async () => {
    const email = newEmail();
    const begun = await from(allowed, 'POST', world.sdk('/emailVerifications/create'), { body: { email } });
    expect(begun.status).toBe(201);
    const { verificationUUID } = begun.body as { verificationUUID: string };
    const proof = { verificationUUID, verificationToken: world.code(email) };
    const signedIn = await from(allowed, 'POST', world.sdk('/emailVerifications/signin'), { body: proof });
    expect(signedIn.status).toBe(200);
    const token = (signedIn.body as { jwt: string }).jwt;
    const changed = await from(allowed, 'PUT', world.sdk('/users'), { token, body: { alias: 'Ada' } });
    expect(changed.status).toBe(200);
  });

  it('is refused at the preflight from an unregistered site: nothing is sent or changed', async () => {
    const email = newEmail();
    const path = world.sdk('/emailVerifications/create');
    expect(await from(stranger, 'POST', path, { body: { email } })).toEqual({ refused: 'TypeError' });
    expect(() => world.code(email)).toThrow('No code was sent');
  });

  it('may send DELETE if allowed, and reads the response', async () => {
    const answer = await from(allowed, 'DELETE', world.sdk('/session'));
    expect(answer).toMatchObject({ status: expect.any(Number), body: { code: expect.any(String) } });
    expect(await from(stranger, 'DELETE', world.sdk('/session'))).toEqual({ refused: 'TypeError' });
  });

  it('cannot call server operations, even with a token', async () => {
    const path = world.path('/origins');
    expect(await from(allowed, 'GET', path, { token: world.token })).toEqual({ refused: 'TypeError' });
    const body = { origin: 'https://evil.example.com' };
    expect(await from(allowed, 'POST', path, { token: world.token, body })).toEqual({ refused: 'TypeError' });
    const { body: known } = await world.api.get<{ origins: unknown[] }>(path, { expect: 200 });
    expect(known.origins).toHaveLength(1);
  });

  it('without an origin of its own, as in a sandboxed frame, is refused', async () => {
    const path = `${test.url}/api/v0${world.sdk('/settings')}`;
    const inFrame = `new Promise((resolve) => {
      addEventListener('message', ({ data }) => resolve(data));
      const frame = document.createElement('iframe');
      frame.sandbox = 'allow-scripts';
      frame.srcdoc = '<script>fetch(${JSON.stringify(path)}).then(() => "read", (error) => error.name)' +
        '.then((text) => parent.postMessage(self.origin + " " + text, "*"))<\\/script>';
      document.body.append(frame);
    })`;
    expect(await allowed.evaluate(inFrame)).toBe('null TypeError');
  });

  it('can no longer read once its origin is deleted', async () => {
    const { body } = await world.api.get<{ origins: { id: string }[] }>(world.path('/origins'));
    await world.api.delete(`/origins/${body.origins[0]!.id}`, { expect: 204 });
    expect(await from(allowed, 'GET', world.sdk('/settings'))).toEqual({ refused: 'TypeError' });
  });
});
