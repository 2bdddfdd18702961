import type { webcrypto } from 'node:crypto';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { WrongLock } from './backup.js';
import { exactly, fromBase64url, toBase64url, utf8 } from './encoding.js';

const VERSION = 'gatehouse/second-lock/v1';
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const KEY_BYTES = 32;

interface LockedTwice {
  readonly v: 1;
  readonly lock: 'backup-key';
  readonly salt: string;
  readonly nonce: string;
  readonly walletId: string;
  readonly ciphertext: string;
}

/**
 * Adds a second layer of encryption to a backup stored outside the service. Whoever obtains it there cannot guess
 * passwords offline: the key stays with the service, which gives it only to the user, with a rate limit.
 *
 * @param backupKey as returned by `getEmbeddedWalletBackups`
 */
export async function lockAgain(backup: string, backupKey: string): Promise<string> {
  const { walletId } = JSON.parse(backup) as { walletId: string };
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)];
  const key = await keyOf(backupKey, salt);
  const sealed = await crypto.subtle.encrypt(gcm(nonce, walletId), key, exactly(utf8(backup)));
  return JSON.stringify({
    v: 1,
    lock: 'backup-key',
    salt: toBase64url(salt),
    nonce: toBase64url(nonce),
    walletId,
    ciphertext: toBase64url(new Uint8Array(sealed)),
  } satisfies LockedTwice);
}

/** The original backup, for `openBackup`. @throws WrongLock */
export async function unlockOnce(copy: string, backupKey: string): Promise<string> {
  const { v, lock, salt, nonce, walletId, ciphertext } = JSON.parse(copy) as LockedTwice;
  if (v !== 1 || lock !== 'backup-key') throw new WrongLock('The copy has no second lock that this version knows.');
  const key = await keyOf(backupKey, fromBase64url(salt));
  const opened = await crypto.subtle
    .decrypt(gcm(fromBase64url(nonce), walletId), key, exactly(fromBase64url(ciphertext)))
    .catch(() => {
      throw new WrongLock('The copy does not open.');
    });
  return new TextDecoder().decode(opened);
}

async function keyOf(backupKey: string, salt: Uint8Array): Promise<webcrypto.CryptoKey> {
  const secret = fromBase64url(backupKey);
  if (secret.length !== KEY_BYTES) throw new Error('A backup key has 32 bytes.');
  const bytes = hkdf(sha256, secret, salt, utf8(VERSION), KEY_BYTES);
  return crypto.subtle.importKey('raw', exactly(bytes), 'AES-GCM', false, ['encrypt', 'decrypt']);
}

const gcm = (nonce: Uint8Array, walletId: string) => ({
  name: 'AES-GCM',
  iv: exactly(nonce),
  additionalData: exactly(utf8(`${VERSION}|${walletId}`)),
});

const randomBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
