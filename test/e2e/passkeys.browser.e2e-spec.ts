import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CDPSession, Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { Browser } from '../support/browser.js';
import { describeWithChrome } from '../support/chrome.js';
import { newEmail, World } from '../support/world.js';

/** Runs in the page, as an application would: it asks for options, lets the browser act, and sends what comes of it. */
const PAGE = `{
  async call(url, method, token, elevated, body) {
    const answer = await fetch(url, {
      method,
      headers: {
        ...(token && { authorization: 'Bearer ' + token }),
        ...(elevated && { 'x-elevated-access-token': elevated }),
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : undefined,
    });
    const text = await answer.text();
    return { status: answer.status, body: text ? JSON.parse(text) : null };
  },
  async register(base, token, elevated) {
    const { body: options } = await this.call(base + '/register', 'GET', token);
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    const made = (await navigator.credentials.create({ publicKey })).toJSON();
    const { attestationObject, clientDataJSON, transports } = made.response;
    return this.call(base + '/register', 'POST', token, elevated, {
      id: made.id, rawId: made.rawId, type: made.type, authenticatorAttachment: made.authenticatorAttachment,
      clientExtensionResults: made.clientExtensionResults,
      response: { attestationObject, clientDataJson: clientDataJSON, transports },
    });
  },
  async signIn(base, mediation, token) {
    const { body: options } = await this.call(base + (token ? '/authenticate' : '/signin'), 'GET', token);
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    const proof = (await navigator.credentials.get({ publicKey, mediation })).toJSON();
    const { id, rawId, type, clientExtensionResults, response } = proof;
    const { clientDataJSON, authenticatorData, signature, userHandle } = response;
    return this.call(base + '/signin', 'POST', null, null, {
      id, rawId, type, clientExtensionResults,
      response: { clientDataJSON, authenticatorData, signature, userHandle },
    });
  },
}`;

interface Seen {
  status: number;
  body: { user: { id: string }; code?: string; jwt: string };
}

describeWithChrome('Chromium with an authenticator', (chrome) => {
  let test: TestApp;
  let world: World;
  let site: Server;
  let browser: Browser;
  let page: Page;
  let devtools: CDPSession;
  let authenticatorId: string;
  let person: { userId: string; jwt: string; elevated: string };

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
    site = createServer((_, response) =>
      response
        .setHeader('content-type', 'text/html')
        .end('<title>A site</title><input autocomplete="username webauthn">'),
    );
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const origin = `http://localhost:${(site.address() as AddressInfo).port}`;
    await world.owner.post(world.path('/origins'), { origin }, { expect: 201 });
    browser = await Browser.launch(chrome, origin);
    page = await browser.open('/');
    devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const options = {
      ...({ protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const),
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    };
    ({ authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options }));
    const email = newEmail();
    const verificationUUID = await world.sendCode(email);
    const proof = { verificationUUID, verificationToken: world.code(email), requestedScopes: ['credential:link'] };
    const { body } = await world.anonymous.post<{ user: { id: string }; jwt: string; elevatedAccessToken: string }>(
      world.sdk('/emailVerifications/signin'),
      proof,
      { expect: 200 },
    );
    person = { userId: body.user.id, jwt: body.jwt, elevated: body.elevatedAccessToken };
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    site?.close();
    await test?.close();
  });

  const run = (call: 'register' | 'signIn', ...values: unknown[]): Promise<Seen> => {
    const base = `${test.url}/api/v0${world.sdk('/users/passkeys')}`;
    const given = [base, ...values].map((value) => JSON.stringify(value) ?? 'undefined').join();
    return page.evaluate<Seen>(`(${PAGE}).${call}(${given})`);
  };
  const credentials = async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials;

  it('makes a passkey that can be found without a name', async () => {
    expect(await run('register', person.jwt, person.elevated)).toMatchObject({
      status: 200,
      body: { user: { id: person.userId } },
    });
    const [made, ...others] = await credentials();
    expect(others).toEqual([]);
    expect(made).toMatchObject({ isResidentCredential: true, rpId: 'localhost' });
    expect(Buffer.from(made!.userHandle!, 'base64')).toHaveLength(64);
  });

  it('does not make a second one for the same user', async () => {
    await expect(run('register', person.jwt, person.elevated)).rejects.toThrow('InvalidStateError');
    expect(await credentials()).toHaveLength(1);
  });

  it('signs in with it, again and again: its counter goes on', async () => {
    for (const _ of [1, 2]) {
      const { status, body } = await run('signIn');
      expect([status, body.user.id]).toEqual([200, person.userId]);
    }
    const [row] = await credentials();
    expect(row!.signCount).toBeGreaterThan(1);
  });

  it('offers it in the field of a form', async () => {
    expect(await page.evaluate('PublicKeyCredential.isConditionalMediationAvailable()')).toBe(true);
    const { status, body } = await run('signIn', 'conditional');
    expect([status, body.user.id]).toEqual([200, person.userId]);
  });

  it('proves anew who is signed in', async () => {
    const { status, body } = await run('signIn', undefined, person.jwt);
    expect([status, body.user.id]).toEqual([200, person.userId]);
  });

  it('is refused where the person is not verified', async () => {
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await expect(run('signIn')).rejects.toThrow('NotAllowedError');
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    expect((await run('signIn')).status).toBe(200);
  });
});
