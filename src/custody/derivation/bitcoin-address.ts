import { createHash } from 'node:crypto';
import { bech32 } from '@scure/base';

const MAINNET_PREFIX = 'bc';
const WITNESS_VERSION = 0;

/**
 * P2WPKH address of a compressed secp256k1 public key on mainnet: bech32 (BIP-173) of witness version 0 and
 * RIPEMD-160 of SHA-256 of the key (BIP-141).
 */
export function bitcoinAddress(compressedPublicKey: Uint8Array): string {
  const sha256 = createHash('sha256').update(compressedPublicKey).digest();
  const program = createHash('ripemd160').update(sha256).digest();
  return bech32.encode(MAINNET_PREFIX, [WITNESS_VERSION, ...bech32.toWords(program)]);
}
