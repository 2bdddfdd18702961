import { describe, expect, it } from '@jest/globals';
import { toBase64url } from './encoding.js';
import { httpWalletSecrets, lockAgain, unlockOnce, WrongLock } from './index.js';

const WALLET = '018f2b7c-0000-7000-8000-000000000003';
const BACKUP = JSON.stringify({ v: 1, kdf: 'scrypt', salt: 'c2FsdA', walletId: WALLET, ciphertext: 'AAAA' });
const KEY = toBase64url(new Uint8Array(32).fill(7));

describe('a copy with a second lock', () => {
  it('is the backup again under the key of the service, and shows nothing of it', async () => {
    const copy = await lockAgain(BACKUP, KEY);
    expect(copy).not.toContain('scrypt');
    expect(JSON.parse(copy)).toMatchObject({ v: 1, lock: 'backup-key', walletId: WALLET });
    expect(await unlockOnce(copy, KEY)).toBe(BACKUP);
  });

  it('is another text each time', async () => {
    expect(await lockAgain(BACKUP, KEY)).not.toBe(await lockAgain(BACKUP, KEY));
  });

  it('does not open under another key, as the copy of another wallet, or without a second lock', async () => {
    const copy = await lockAgain(BACKUP, KEY);
    await expect(unlockOnce(copy, toBase64url(new Uint8Array(32)))).rejects.toThrow(WrongLock);
    const other = JSON.stringify({ ...(JSON.parse(copy) as object), walletId: WALLET.replace(/3$/, '4') });
    await expect(unlockOnce(other, KEY)).rejects.toThrow(WrongLock);
    await expect(unlockOnce(BACKUP, KEY)).rejects.toThrow(WrongLock);
  });

  it('takes a key of 32 bytes', async () => {
    await expect(lockAgain(BACKUP, toBase64url(new Uint8Array(16)))).rejects.toThrow('32 bytes');
  });
});

describe('secrets over HTTP', () => {
  const place = { baseUrl: 'https://gatehouse.example', environmentId: 'e', token: 't' };

  it('are read at their paths, of one wallet where it is named', async () => {
    const urls: string[] = [];
    const secrets = httpWalletSecrets(place, (url) => {
      urls.push(url as string);
      return Promise.resolve(Response.json({ walletId: WALLET, secret: KEY, source: 'platform' }));
    });
    expect(await secrets.passcode()).toEqual({ walletId: WALLET, secret: KEY });
    await secrets.backupKey(WALLET);
    const path = 'https://gatehouse.example/api/v0/sdk/e/users/embeddedWallets';
    expect(urls).toEqual([`${path}/passcode`, `${path}/backup?walletId=${WALLET}`]);
  });

  it('are refused with the words of the service', async () => {
    const refusal = () => Promise.resolve(Response.json({ error: 'No such wallet.' }, { status: 404 }));
    await expect(httpWalletSecrets(place, refusal).passcode()).rejects.toThrow('No such wallet.');
  });
});
