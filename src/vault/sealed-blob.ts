import { GCM_OVERHEAD_BYTES } from './aes-gcm.js';
import type { WrappedKey } from './key-vault.js';
import { SealedBlobError } from './vault.errors.js';

export const BLOB_VERSION = 1;

const PRINTABLE_ASCII = /^[\x21-\x7e]+$/;

/** A secret at rest: its data key, wrapped, and the payload `nonce12 | tag16 | ciphertext` under that key. */
export interface SealedBlob {
  readonly wrappedKey: WrappedKey;
  readonly payload: Buffer;
}

/**
 * The bytes of a sealed blob, integers big-endian:
 *
 * | bytes | field |
 * |---|---|
 * | 1 | version, 1 |
 * | 1 + n | length and id of the key encryption key |
 * | 2 + m | length and bytes of the wrapped data key |
 * | 12 | nonce |
 * | 16 | tag |
 * | rest | ciphertext, as long as the plaintext |
 */
export function encodeSealedBlob({ wrappedKey: { keyId, bytes }, payload }: SealedBlob): Buffer {
  if (!PRINTABLE_ASCII.test(keyId) || keyId.length > 0xff || bytes.length === 0 || bytes.length > 0xffff) {
    throw new RangeError('The key vault returned a wrapped key outside its limits.');
  }
  const header = Buffer.allocUnsafe(4 + keyId.length);
  header.writeUInt8(BLOB_VERSION, 0);
  header.writeUInt8(keyId.length, 1);
  header.write(keyId, 2, 'latin1');
  header.writeUInt16BE(bytes.length, 2 + keyId.length);
  return Buffer.concat([header, bytes, payload]);
}

/** @throws SealedBlobError `malformed` */
export function parseSealedBlob(blob: Buffer): SealedBlob {
  if (blob.length < 2 || blob[0] !== BLOB_VERSION) throw new SealedBlobError('malformed');
  const keyIdEnd = 2 + blob.readUInt8(1);
  const wrappedStart = keyIdEnd + 2;
  if (blob.length < wrappedStart) throw new SealedBlobError('malformed');
  const wrappedEnd = wrappedStart + blob.readUInt16BE(keyIdEnd);
  const keyId = blob.toString('latin1', 2, keyIdEnd);
  if (blob.length < wrappedEnd + GCM_OVERHEAD_BYTES || wrappedEnd === wrappedStart || !PRINTABLE_ASCII.test(keyId)) {
    throw new SealedBlobError('malformed');
  }
  return {
    wrappedKey: { keyId, bytes: blob.subarray(wrappedStart, wrappedEnd) },
    payload: blob.subarray(wrappedEnd),
  };
}
