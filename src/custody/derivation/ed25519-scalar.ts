import { ed25519 } from '@noble/curves/ed25519.js';

/** The secret scalar, modulo the order of the group and 32 bytes in little endian, of a seed (RFC 8032, section 5.1.5). */
export function ed25519Scalar(seed: Uint8Array): Uint8Array {
  const { scalar } = ed25519.utils.getExtendedPublicKey(Uint8Array.from(seed));
  return ed25519.Point.Fn.toBytes(scalar);
}
