import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

/** PKCS #8 wrapping of a 32-byte Ed25519 seed (RFC 8410, section 7), up to the seed. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** SubjectPublicKeyInfo up to the 32 key bytes (RFC 8410, section 4). */
const SPKI_HEADER = Buffer.from('302a300506032b6570032100', 'hex');

const SEED_BYTES = 32;

/**
 * The 32-byte public key of a 32-byte Ed25519 seed (RFC 8032, section 5.1.5).
 *
 * @throws RangeError on a seed of any other length: OpenSSL would take the first 32 bytes of a longer one
 */
export function ed25519PublicKey(seed: Uint8Array): Buffer {
  const spki = createPublicKey(privateKeyOf(seed)).export({ format: 'der', type: 'spki' });
  return spki.subarray(SPKI_HEADER.length);
}

/** 64-byte signature of a message (RFC 8032, section 5.1.6). */
export const ed25519Sign = (message: Uint8Array, seed: Uint8Array): Buffer => sign(null, message, privateKeyOf(seed));

/** Whether it is a signature of the message by a 32-byte public key (RFC 8032, section 5.1.7). */
export function ed25519Verify(message: Uint8Array, publicKey: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.concat([SPKI_HEADER, publicKey]), format: 'der', type: 'spki' });
  return verify(null, message, key, signature);
}

function privateKeyOf(seed: Uint8Array): KeyObject {
  if (seed.byteLength !== SEED_BYTES) throw new RangeError('An Ed25519 seed is 32 bytes.');
  const der = Buffer.concat([PKCS8_PREFIX, seed]);
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } finally {
    der.fill(0);
  }
}
