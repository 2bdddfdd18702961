import { blake2b } from '@noble/hashes/blake2.js';
import { base58 } from '@scure/base';
import { fromHex, joined, toHex } from './encoding.js';

/** Solana and Sui, as the service names them. */
export type KeyChain = 'SVM' | 'SUI';

/** The scheme of Ed25519 among those that Sui has. */
const SUI_ED25519 = Uint8Array.of(0);

/** What the key's address is, whatever the service says: base58 of the key, or the BLAKE2b-256 of scheme and key. */
export function addressOf(chain: KeyChain, publicKey: string): string {
  const key = fromHex(publicKey);
  if (chain === 'SVM') return base58.encode(key);
  return `0x${toHex(blake2b(joined(SUI_ED25519, key), { dkLen: 32 }))}`;
}
