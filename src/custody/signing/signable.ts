import type { SigningChain } from '../embedded-chain.js';
import type { EcdsaSignature } from '../external/threshold-ecdsa.js';
import type { Signed } from './signing-request.js';

/** Who signs. */
export interface SigningAccount {
  readonly chain: SigningChain;
  readonly address: string;
  /** Where it is known before the signature, and the address does not say it. */
  readonly publicKey?: Buffer;
}

/** A request that was read and found to be what it says it is, for one account. */
export interface Signable {
  /** What the key is applied to, or its SHA-256 where that is more than 32 bytes: what the ledger keeps of it. */
  readonly digest: Buffer;
  /** The EVM network that it is good on; null where the bytes name none. */
  readonly networkId: number | null;
  sign(privateKey: Uint8Array): Signed;
  /** Where the signature is one of Schnorr, on Ed25519 or as BIP-340 has it, so that several participants can sign. */
  readonly schnorr?: SchnorrSignable;
  /** Where one signature of ECDSA over `digest` is all that is missing, so that whoever has the key can make it. */
  readonly written?: (signature: EcdsaSignature) => Signed;
}

export interface SchnorrSignable {
  readonly message: Buffer;
  /** As the chain writes it, for a signature of 64 bytes. */
  written(signature: Buffer, publicKey: Buffer): Signed;
}
