import { createRequire } from 'node:module';
import type { pointFromScalar } from 'tiny-secp256k1';

let multiply: typeof pointFromScalar | null = null;

/** Loaded with the first key: services without EVM or BTC wallets need not have its tables in memory. */
function load(): typeof pointFromScalar {
  const library = createRequire(import.meta.url)('tiny-secp256k1') as { pointFromScalar: typeof pointFromScalar };
  return library.pointFromScalar;
}

/**
 * Public key of a 32-byte secp256k1 private key, uncompressed: `04 | x | y`, 65 bytes (SEC 1, section 2.3.3).
 *
 * By libsecp256k1, compiled to WebAssembly: its multiplication is constant in time and blinded, as OpenSSL's is, and
 * takes a third of the time. The copy of the key it works on is wiped before it answers.
 */
export function secp256k1PublicKey(privateKey: Uint8Array): Buffer {
  multiply ??= load();
  const point = multiply(privateKey, false);
  if (!point) throw new RangeError('This is no private key of secp256k1.');
  return Buffer.from(point.buffer, point.byteOffset, point.byteLength);
}

/** The compressed form, 33 bytes: `02 | x` for an even y, `03 | x` for an odd one. */
export function compressPublicKey(uncompressed: Uint8Array): Buffer {
  const compressed = Buffer.from(uncompressed.subarray(0, 33));
  compressed[0] = 2 + ((uncompressed[64] ?? 0) & 1);
  return compressed;
}
