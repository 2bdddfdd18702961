import type { SecretBytes } from '../../vault/index.js';
import { deriveSecp256k1 } from './bip32-secp256k1.js';
import { bitcoinAddress } from './bitcoin-address.js';
import { derivationPath, parseDerivationPath } from './derivation-path.js';
import { ed25519PublicKey } from './ed25519-key.js';
import type { EmbeddedChain } from '../embedded-chain.js';
import { evmAddress } from './evm-address.js';
import type { HdNode } from './hd-node.js';
import { compressPublicKey, secp256k1PublicKey, uncompressPublicKey } from './secp256k1-key.js';
import { isScalar } from './secp256k1-scalar.js';
import { deriveEd25519 } from './slip10-ed25519.js';
import { solanaAddress } from './solana-address.js';
import { suiAddress } from './sui-address.js';

/** The public half of an account. */
export interface DerivedAccount {
  /** In the chain's own format: EIP-55, base58, `0x` and 64 digits, or bech32. */
  readonly address: string;
  /** Hexadecimal without prefix: compressed secp256k1 (33 bytes) for EVM and BTC, Ed25519 (32 bytes) for SOL and SUI. */
  readonly publicKey: string;
  readonly path: string;
}

interface ChainScheme {
  readonly curve: 'secp256k1' | 'ed25519';
  derive(seed: SecretBytes, path: readonly number[]): HdNode;
  identify(privateKey: Uint8Array): { address: string; publicKey: Buffer };
  /** The address of a public key in the format of `DerivedAccount`. */
  addressOf(publicKey: Buffer): string;
}

const onEd25519 = (addressOf: (publicKey: Buffer) => string): ChainScheme => ({
  curve: 'ed25519',
  derive: deriveEd25519,
  identify: (privateKey) => {
    const publicKey = ed25519PublicKey(privateKey);
    return { address: addressOf(publicKey), publicKey };
  },
  addressOf,
});

const SCHEMES: Record<EmbeddedChain, ChainScheme> = {
  EVM: {
    curve: 'secp256k1',
    derive: deriveSecp256k1,
    identify: (privateKey) => {
      const publicKey = secp256k1PublicKey(privateKey);
      return { address: evmAddress(publicKey), publicKey: compressPublicKey(publicKey) };
    },
    addressOf: (publicKey) => evmAddress(uncompressPublicKey(publicKey)),
  },
  SOL: onEd25519(solanaAddress),
  SUI: onEd25519(suiAddress),
  BTC: {
    curve: 'secp256k1',
    derive: deriveSecp256k1,
    identify: (privateKey) => {
      const publicKey = compressPublicKey(secp256k1PublicKey(privateKey));
      return { address: bitcoinAddress(publicKey), publicKey };
    },
    addressOf: bitcoinAddress,
  },
};

/** The curve of a chain's keys. */
export const curveOf = (chain: EmbeddedChain): ChainScheme['curve'] => SCHEMES[chain].curve;

/** Address and public key of a 32-byte private key on the chain; null if the bytes are not a valid key. */
export function identifyKey(chain: EmbeddedChain, privateKey: Buffer): Omit<DerivedAccount, 'path'> | null {
  if (privateKey.byteLength !== 32 || (curveOf(chain) === 'secp256k1' && !isScalar(privateKey))) return null;
  const { address, publicKey } = SCHEMES[chain].identify(privateKey);
  return { address, publicKey: publicKey.toString('hex') };
}

/** The address of a public key given in hexadecimal, as accounts have it. */
export const addressOf = (chain: EmbeddedChain, publicKey: string): string =>
  SCHEMES[chain].addressOf(Buffer.from(publicKey, 'hex'));

/**
 * Address and public key of account `index` of a 64-byte seed. Intermediate private keys are wiped, best effort.
 *
 * @throws RangeError if the index is out of range
 */
export function deriveAccount(seed: SecretBytes, chain: EmbeddedChain, index: number): DerivedAccount {
  const { key, ...account } = deriveKeyedAccount(seed, chain, index);
  key.wipe();
  return account;
}

/** The same with the private key, which the caller must wipe. */
export function deriveKeyedAccount(
  seed: SecretBytes,
  chain: EmbeddedChain,
  index: number,
): DerivedAccount & { readonly key: SecretBytes } {
  const path = derivationPath(chain, index);
  const node = SCHEMES[chain].derive(seed, parseDerivationPath(path));
  try {
    const { address, publicKey } = SCHEMES[chain].identify(node.privateKey);
    return { address, publicKey: publicKey.toString('hex'), path, key: node.copyPrivateKey() };
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
