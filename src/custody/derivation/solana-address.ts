import { base58 } from '@scure/base';

/** Address of a 32-byte Ed25519 public key: the key itself in base58. */
export function solanaAddress(publicKey: Uint8Array): string {
  return base58.encode(publicKey);
}
