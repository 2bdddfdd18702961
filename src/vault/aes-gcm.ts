import { type CipherKey, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { SealedBlobError } from './vault.errors.js';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Bytes that sealing adds: nonce and tag. */
export const GCM_OVERHEAD_BYTES = NONCE_BYTES + TAG_BYTES;

/**
 * AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce, laid out as `nonce12 | tag16 | ciphertext`.
 * Random nonces allow 2^32 messages under one key (section 8.3).
 */
export function gcmSeal(key: CipherKey, plaintext: Uint8Array, aad: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(aad);
  const ciphertext = cipher.update(plaintext);
  cipher.final();
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/**
 * Opens what `gcmSeal` made. The tag is always 16 bytes: shorter tags, which GCM permits and which are cheap to
 * forge, are never accepted.
 *
 * @throws SealedBlobError
 */
export function gcmOpen(key: CipherKey, sealed: Uint8Array, aad: Uint8Array): Buffer {
  if (sealed.byteLength < GCM_OVERHEAD_BYTES) throw new SealedBlobError('malformed');
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(aad);
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, GCM_OVERHEAD_BYTES));
  const plaintext = decipher.update(sealed.subarray(GCM_OVERHEAD_BYTES));
  try {
    decipher.final();
  } catch {
    plaintext.fill(0);
    throw new SealedBlobError('not-authentic');
  }
  return plaintext;
}
