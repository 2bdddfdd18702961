import type { SigningChain } from '../embedded-chain.js';
import type { EcdsaSignature } from '../external/threshold-ecdsa.js';
import type { Signed } from './signing-request.js';

/** The signing account. */
export interface SigningAccount {
  readonly chain: SigningChain;
  readonly address: string;
  /** Set if it is known before the signature and not determined by the address. */
  readonly publicKey?: Buffer;
}

/** A request parsed for one account and found to be what it claims to be. */
export interface Signable {
  /** What the key signs, or its SHA-256 if that is more than 32 bytes: recorded in the ledger. */
  readonly digest: Buffer;
  /** The EVM network it is valid on; null if the bytes name none. */
  readonly networkId: number | null;
  sign(privateKey: Uint8Array): Signed;
  /** Set for Schnorr signatures, on Ed25519 or BIP-340, so that several participants can sign together. */
  readonly schnorr?: SchnorrSignable;
  /** Set if all that is missing is one ECDSA signature over `digest`, so that the key's holder can make it. */
  readonly written?: (signature: EcdsaSignature) => Signed;
}

export interface SchnorrSignable {
  readonly message: Buffer;
  /** The chain's encoding of a 64-byte signature. */
  written(signature: Buffer, publicKey: Buffer): Signed;
}
