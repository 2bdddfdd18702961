import { blake2b } from '@noble/hashes/blake2.js';

/** Signature scheme flag of plain Ed25519. */
const ED25519_FLAG = 0x00;

/** Address of a 32-byte Ed25519 public key: `0x` and BLAKE2b-256 of the scheme flag followed by the key. */
export function suiAddress(publicKey: Uint8Array): string {
  const hash = blake2b(Buffer.concat([Buffer.of(ED25519_FLAG), publicKey]), { dkLen: 32 });
  return `0x${Buffer.from(hash).toString('hex')}`;
}
