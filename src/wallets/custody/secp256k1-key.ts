import { createECDH } from 'node:crypto';

/**
 * Public key of a 32-byte secp256k1 private key, uncompressed: `04 | x | y`, 65 bytes (SEC 1, section 2.3.3).
 * OpenSSL's multiplication is constant in time.
 */
export function secp256k1PublicKey(privateKey: Uint8Array): Buffer {
  const ecdh = createECDH('secp256k1');
  ecdh.setPrivateKey(privateKey);
  return ecdh.getPublicKey();
}

/** The compressed form, 33 bytes: `02 | x` for an even y, `03 | x` for an odd one. */
export function compressPublicKey(uncompressed: Uint8Array): Buffer {
  const compressed = Buffer.from(uncompressed.subarray(0, 33));
  compressed[0] = 2 + ((uncompressed[64] ?? 0) & 1);
  return compressed;
}
