import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { constants, createDecipheriv, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { base58 } from '@scure/base';
import { recoverMessageAddress, type Hex } from 'viem';
import { ed25519Verify } from '../../src/custody/derivation/ed25519-key.js';
import { overflowOf, PHONE } from '../support/browser.js';
import { describeWithChrome } from '../support/chrome.js';
import { DevApp } from '../support/dev-app.js';
import { eventually } from '../support/receiver.js';

const TEXT = 'I have tried it.';
const PASSWORD = 'correct horse battery staple';
const EMAIL = 'vera.shared@example.com';
const WALLET = '#shared-list li';
jest.setTimeout(240_000);

describeWithChrome('shared keys at /dev/app, in Chromium, by the package that applications use', (chrome) => {
  let app: DevApp;
  let address: string;

  beforeAll(async () => {
    app = await DevApp.start(chrome);
    await app.open();
    await app.signIn(EMAIL);
    await openGroup('#shared');
  }, 180_000);
  afterAll(() => app?.close());

  const click = (selector: string): Promise<void> => app.page.click(selector);
  const press = (name: string): Promise<void> => click(`${WALLET} button:text-is("${name}")`);
  const openGroup = async (id: string): Promise<void> => {
    if ((await app.page.getAttribute(id, 'open')) === null) await click(`${id} > summary`);
  };
  const has = (shares: number, generation: number): Promise<void> =>
    app.appears(`${WALLET}[data-shares="${shares}"][data-generation="${generation}"]`);
  /** The page shows a signature that is not the one it showed before, and it is one of the wallet. */
  const signs = async (): Promise<void> => {
    await app.page.evaluate("document.getElementById('shared-result').replaceChildren()");
    await press('Sign a message');
    await app.shows('#shared-result', `signed by ${address}`);
    const signature = base58.decode((await app.page.textContent('#shared-result pre'))!);
    expect(ed25519Verify(Buffer.from(TEXT), base58.decode(address), Buffer.from(signature))).toBe(true);
  };

  it('creates a wallet together with the service, and signs', async () => {
    await click('#shared-create button');
    await has(1, 1);
    address = (await app.page.textContent(`${WALLET} code`))!;
    expect(base58.decode(address)).toHaveLength(32);
    await signs();
    await app.picture('shared-signed');
    // The service signs alone with others, and not with this one.
    expect(await app.page.locator(`#wallet-list [data-chain=SOL]`).count()).toBe(0);
  });

  it('keeps its shares in the browser across a reload, where no page finds them in plaintext', async () => {
    const stored = await app.page.evaluate(`new Promise((resolve) => {
      const opening = indexedDB.open('gatehouse-dev-app');
      opening.onsuccess = () => {
        const reading = opening.result.transaction('shares').objectStore('shares').getAll();
        reading.onsuccess = () => { opening.result.close(); resolve(reading.result.map((one) =>
          one instanceof CryptoKey ? { extractable: one.extractable } : Object.keys(one).sort())); };
      };
    })`);
    expect(stored).toEqual(expect.arrayContaining([{ extractable: false }, ['ciphertext', 'iv']]));
    await app.open();
    await app.signIn(EMAIL);
    await openGroup('#shared');
    await has(1, 1);
    await signs();
  });

  it('reshares, to the same scheme and another, with the same address', async () => {
    await press('Refresh');
    await has(1, 2);
    await signs();
    await press('Reshare to 2 of 3');
    await has(2, 3);
    await app.shows('#shared-list', '2 of 3');
    await signs();
    expect(await app.page.textContent(`${WALLET} code`)).toBe(address);
  });

  it('recovers the wallet of a lost device from the backup with its password only', async () => {
    await press('Back up');
    await app.shows('#problem', 'Enter the backup password');
    await app.page.fill('#shared-password', PASSWORD);
    await press('Back up');
    await app.shows('#shared-result', 'Backed up');
    await press('Lose this device');
    await app.appears(`${WALLET}[data-shares="0"]`);
    expect(await app.page.locator(`${WALLET} button:text-is("Sign a message")`).count()).toBe(0);
    await app.picture('shared-lost');
    await app.page.fill('#shared-password', 'another password');
    await press('Recover');
    await app.shows('#problem', 'does not open');
    await app.page.fill('#shared-password', PASSWORD);
    await press('Recover');
    await has(2, 3);
    await signs();
    await app.picture('shared-recovered');
  });

  it('lets a server sign with a wallet that the service holds, until access is revoked', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    await app.manage('PUT', app.path(''), { sdk: { waas: { delegatedAccess: { enabled: true } } } });
    await app.manage('POST', app.path('/waas/delegatedAccess/encryptionPublicKeys'), { publicKey });
    // The proof of the last sign-in was used up by the reshare.
    await app.signOut();
    await app.signIn(EMAIL);
    await openGroup('#wallets');
    await click('#create-wallets');
    const wallet = '#wallet-list [data-chain=EVM]';
    await app.appears(wallet);
    const id = (await app.page.getAttribute(wallet, 'data-wallet'))!;
    const holder = await app.page.textContent(`${wallet} code`);
    await click(`${wallet} button:text-is("Let a server sign")`);
    await app.shows('#wallet-result', 'may now sign messages');
    await app.picture('delegated');

    const sealed = await eventually('the delivery has come', () => app.delivered(id));
    const [iv, ct, tag, ek] = (['iv', 'ct', 'tag', 'ek'] as const).map((name) =>
      Buffer.from(sealed[name]!, 'base64url'),
    );
    const oaep = { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
    const decipher = createDecipheriv('aes-256-gcm', privateDecrypt(oaep, ek!), iv!, { authTagLength: 16 });
    decipher.setAuthTag(tag!);
    const credential = Buffer.concat([decipher.update(ct!), decipher.final()]).toString('base64url');
    const sign = () =>
      app.asServer<{ signature: Hex; code?: string }>(`/waas/${id}/delegatedAccess/signMessage`, {
        body: { message: TEXT },
        headers: { 'x-delegation-credential': credential },
      });
    const { signature } = await sign();
    expect(await recoverMessageAddress({ message: TEXT, signature })).toBe(holder);
    await click(`${wallet} button:text-is("Revoke access")`);
    await app.shows('#wallet-result', 'Servers may no longer sign');
    expect((await sign()).code).toBe('no_delegated_access');
  });

  it('leaves nothing of a user to the next one, even if the session has already ended', async () => {
    for (const id of ['#factors', '#wallets', '#shared']) await openGroup(id);
    await click('#totp-begin');
    await app.appears('#totp-new:not([hidden])');
    await app.page.fill('#import-key', '1b'.repeat(32));
    await app.page.fill('#shared-password', PASSWORD);
    const { id } = await app.user();
    await app.manage('POST', app.path(`/users/${id}/sessions/revoke`));
    await click('#totp-begin');
    await app.shows('#problem', 'your session has ended');
    await press('Sign a message');
    await app.shows('#problem', 'your session has ended');

    await app.signOut();
    await app.signIn('next.user@example.com');
    expect(await app.page.isVisible('#problem')).toBe(false);
    expect(await app.page.textContent('#totp-secret')).toBe('');
    for (const field of ['#import-key', '#shared-password', '#account'])
      expect([field, await app.page.inputValue(field)]).toEqual([field, '']);
  });

  it('fits a phone, logs only refusals, and calls no other host', async () => {
    await app.page.setViewportSize(PHONE);
    await openGroup('#shared');
    await app.picture('shared-phone');
    expect(await overflowOf(app.page)).toBeLessThanOrEqual(0);
    expect(app.browser.foreignRequests).toEqual([]);
    expect(app.browser.complaints.filter((text) => !/status of (?:401|403|422)/.test(text))).toEqual([]);
  });
});
