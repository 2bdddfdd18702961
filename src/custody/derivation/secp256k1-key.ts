import { createRequire } from 'node:module';
import type * as Secp256k1 from 'tiny-secp256k1';

let loaded: typeof Secp256k1 | null = null;

/** Loaded with the first key: services without EVM or BTC wallets do not need its tables in memory. */
const library = (): typeof Secp256k1 =>
  (loaded ??= createRequire(import.meta.url)('tiny-secp256k1') as typeof Secp256k1);

/**
 * Public key of a 32-byte secp256k1 private key, uncompressed: `04 | x | y`, 65 bytes (SEC 1, section 2.3.3).
 *
 * Uses libsecp256k1 compiled to WebAssembly: like OpenSSL's, its multiplication is constant-time and blinded, but it
 * takes a third of the time. Its working copy of the key is wiped before it returns.
 */
export function secp256k1PublicKey(privateKey: Uint8Array): Buffer {
  const point = library().pointFromScalar(privateKey, false);
  if (!point) throw new RangeError('This is no private key of secp256k1.');
  return Buffer.from(point.buffer, point.byteOffset, point.byteLength);
}

/** The compressed form, 33 bytes: `02 | x` for an even y, `03 | x` for an odd one. */
export function compressPublicKey(uncompressed: Uint8Array): Buffer {
  const compressed = Buffer.from(uncompressed.subarray(0, 33));
  compressed[0] = 2 + ((uncompressed[64] ?? 0) & 1);
  return compressed;
}

/** The uncompressed point of a compressed key. @throws TypeError if it is not a valid key */
export const uncompressPublicKey = (compressed: Uint8Array): Buffer =>
  Buffer.from(library().pointCompress(compressed, false));

/** `r | s`, 64 bytes, and the recovery id. */
export interface RecoverableSignature {
  readonly signature: Buffer;
  readonly recoveryId: 0 | 1;
}

/**
 * ECDSA over a 32-byte digest with an RFC 6979 nonce and low `s` (BIP-62, EIP-2).
 *
 * @throws RangeError for a digest whose point R has an x not below the group order: none is known
 */
export function secp256k1Sign(digest: Uint8Array, privateKey: Uint8Array): RecoverableSignature {
  const { signature, recoveryId } = library().signRecoverable(digest, privateKey);
  if (recoveryId > 1) throw new RangeError('This signature cannot be written down.');
  return { signature: Buffer.from(signature), recoveryId: recoveryId as 0 | 1 };
}

/** Whether `r | s` is a signature of the digest by a public key in either form. */
export const secp256k1Verify = (digest: Uint8Array, publicKey: Uint8Array, signature: Uint8Array): boolean =>
  library().verify(digest, publicKey, signature, true);

/** Whether a signature of the digest is by a public key in either form, and recovers to it. */
export function secp256k1Recovers(
  digest: Uint8Array,
  publicKey: Uint8Array,
  { signature, recoveryId }: RecoverableSignature,
): boolean {
  try {
    if (!secp256k1Verify(digest, publicKey, signature)) return false;
    const recovered = library().recover(digest, signature, recoveryId, publicKey.length === 33);
    return recovered !== null && Buffer.from(recovered).equals(publicKey);
  } catch {
    // `r` or `s` is not a valid scalar.
    return false;
  }
}
