import { blake2b } from '@noble/hashes/blake2.js';
import { base58, bech32m } from '@scure/base';
import { fromHex, joined, toHex } from './encoding.js';
import type { Curve } from './shares.js';
import { tonWallet } from './ton-cells.js';

/** Solana, Sui, TON and Bitcoin (Taproot), as the service names them. */
export type KeyChain = 'SVM' | 'SUI' | 'TON' | 'BTC';

export const CHAINS_OF_CURVE: Record<Curve, readonly KeyChain[]> = {
  ed25519: ['SVM', 'SUI', 'TON'],
  secp256k1: ['BTC'],
};

export const keyCurveOf = (chain: KeyChain): Curve => (chain === 'BTC' ? 'secp256k1' : 'ed25519');

/** Sui's signature scheme flag for Ed25519. */
const SUI_ED25519 = Uint8Array.of(0);

/**
 * Derives the key's address independently of the service: base58 of the key (Solana), BLAKE2b-256 of scheme flag and
 * key (Sui), the hash of the wallet's initial state (TON), or P2TR of the x coordinate (BIP-350, BIP-341).
 */
export function addressOf(chain: KeyChain, publicKey: string): string {
  const key = fromHex(publicKey);
  if (chain === 'SVM') return base58.encode(key);
  if (chain === 'TON') return tonWallet(key).address;
  if (chain === 'BTC') return bech32m.encode('bc', [1, ...bech32m.toWords(key.subarray(1))]);
  return `0x${toHex(blake2b(joined(SUI_ED25519, key), { dkLen: 32 }))}`;
}
