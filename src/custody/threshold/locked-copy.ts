import { hkdfSync, randomBytes, webcrypto } from 'node:crypto';
import type { PublicShares, SecretShare } from './frost.js';

const VERSION = 'gatehouse/backup/v1';
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const KEY_BYTES = 32;

/** The content of the copy, as clients/custody keeps shares. */
export interface CopiedShares {
  readonly walletId: string;
  readonly address: string;
  readonly publicShares: PublicShares;
  readonly secrets: readonly SecretShare[];
}

/**
 * A copy of shares in the format of docs/threshold.md, opened by a 32-byte secret instead of a password, so that one
 * round of HKDF (RFC 5869) is enough.
 */
export async function lockedCopy(shares: CopiedShares, lock: Uint8Array): Promise<string> {
  const { walletId } = shares;
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)];
  const bytes = new Uint8Array(hkdfSync('sha256', lock, salt, VERSION, KEY_BYTES));
  const plaintext = Buffer.from(JSON.stringify(shares));
  try {
    const key = await webcrypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt']);
    const additionalData = Buffer.from(`${VERSION}|${walletId}`);
    const sealed = await webcrypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce, additionalData }, key, plaintext);
    return JSON.stringify({
      v: 1,
      kdf: 'hkdf-sha256',
      salt: salt.toString('base64url'),
      nonce: nonce.toString('base64url'),
      walletId,
      ciphertext: Buffer.from(sealed).toString('base64url'),
    });
  } finally {
    bytes.fill(0);
    plaintext.fill(0);
  }
}
