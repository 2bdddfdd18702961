import type { EmbeddedChain } from '../embedded-chain.js';
import type { Signed } from './signing-request.js';

/** Who signs. */
export interface SigningAccount {
  readonly chain: EmbeddedChain;
  readonly address: string;
}

/** A request that was read and found to be what it says it is, for one account. */
export interface Signable {
  /** What the key is applied to, or its SHA-256 where that is more than 32 bytes: what the ledger keeps of it. */
  readonly digest: Buffer;
  /** The EVM network that it is good on; null where the bytes name none. */
  readonly networkId: number | null;
  sign(privateKey: Uint8Array): Signed;
  /** Where the key is one of Ed25519, so that several participants can sign together. */
  readonly eddsa?: EddsaSignable;
}

export interface EddsaSignable {
  readonly message: Buffer;
  /** As the chain writes it, for a signature of 64 bytes and a public key of 32. */
  written(signature: Buffer, publicKey: Buffer): Signed;
}
