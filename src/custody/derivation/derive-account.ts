import type { SecretBytes } from '../../vault/index.js';
import { deriveSecp256k1 } from './bip32-secp256k1.js';
import { bitcoinAddress } from './bitcoin-address.js';
import { derivationPath, parseDerivationPath } from './derivation-path.js';
import { ed25519PublicKey } from './ed25519-key.js';
import type { EmbeddedChain } from '../embedded-chain.js';
import { evmAddress } from './evm-address.js';
import type { HdNode } from './hd-node.js';
import { compressPublicKey, secp256k1PublicKey } from './secp256k1-key.js';
import { deriveEd25519 } from './slip10-ed25519.js';
import { solanaAddress } from './solana-address.js';
import { suiAddress } from './sui-address.js';

/** The public half of an account. */
export interface DerivedAccount {
  /** As its chain writes it: EIP-55, base58, `0x` and 64 digits, or bech32. */
  readonly address: string;
  /** Hexadecimal without prefix: compressed secp256k1 (33 bytes) for EVM and BTC, Ed25519 (32 bytes) for SOL and SUI. */
  readonly publicKey: string;
  readonly path: string;
}

interface ChainScheme {
  derive(seed: SecretBytes, path: readonly number[]): HdNode;
  identify(privateKey: Uint8Array): { address: string; publicKey: Buffer };
}

const SCHEMES: Record<EmbeddedChain, ChainScheme> = {
  EVM: {
    derive: deriveSecp256k1,
    identify: (privateKey) => {
      const publicKey = secp256k1PublicKey(privateKey);
      return { address: evmAddress(publicKey), publicKey: compressPublicKey(publicKey) };
    },
  },
  SOL: {
    derive: deriveEd25519,
    identify: (privateKey) => {
      const publicKey = ed25519PublicKey(privateKey);
      return { address: solanaAddress(publicKey), publicKey };
    },
  },
  SUI: {
    derive: deriveEd25519,
    identify: (privateKey) => {
      const publicKey = ed25519PublicKey(privateKey);
      return { address: suiAddress(publicKey), publicKey };
    },
  },
  BTC: {
    derive: deriveSecp256k1,
    identify: (privateKey) => {
      const publicKey = compressPublicKey(secp256k1PublicKey(privateKey));
      return { address: bitcoinAddress(publicKey), publicKey };
    },
  },
};

/**
 * Address and public key of account `index` of a 64-byte seed. Private keys on the way are wiped, best effort.
 *
 * @throws RangeError if the index is out of range
 */
export function deriveAccount(seed: SecretBytes, chain: EmbeddedChain, index: number): DerivedAccount {
  const path = derivationPath(chain, index);
  const node = SCHEMES[chain].derive(seed, parseDerivationPath(path));
  try {
    const { address, publicKey } = SCHEMES[chain].identify(node.privateKey);
    return { address, publicKey: publicKey.toString('hex'), path };
  } finally {
    node.wipe();
  }
}

/** The 32-byte private key (secp256k1) or seed (Ed25519) of the same account. The caller wipes it. */
export function derivePrivateKey(seed: SecretBytes, chain: EmbeddedChain, index: number): SecretBytes {
  const node = SCHEMES[chain].derive(seed, parseDerivationPath(derivationPath(chain, index)));
  try {
    return node.copyPrivateKey();
  } finally {
    node.wipe();
  }
}
