import { ed25519 } from '@noble/curves/ed25519.js';

/** The secret scalar of a seed, modulo the group order, as 32 little-endian bytes (RFC 8032, section 5.1.5). */
export function ed25519Scalar(seed: Uint8Array): Uint8Array {
  const { scalar } = ed25519.utils.getExtendedPublicKey(Uint8Array.from(seed));
  return ed25519.Point.Fn.toBytes(scalar);
}
