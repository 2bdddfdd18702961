/** A signature as a service makes it, and nothing that tells anything else of the key. */
export interface EcdsaSignature {
  /** `r | s`, 64 bytes, with the lower of both `s` (BIP-62). */
  readonly signature: Buffer;
  readonly recoveryId: 0 | 1;
}

/**
 * A licensed service that holds keys of secp256k1 in shares and signs by threshold ECDSA: what chains without Schnorr
 * signatures need for a key that is never whole. Nothing of that protocol is written here, an operator brings the service
 * along. Every call goes over the network: none is made inside a transaction, and each gives up after a few seconds.
 *
 * Whoever calls verifies each signature before it is used.
 */
export abstract class ThresholdEcdsa {
  /** Makes a key under a name of the caller, and none where there is one. */
  abstract createKey(name: string): Promise<void>;

  /** The public key of one account of a key, compressed, the same at every call. @throws Error where there is no key */
  abstract publicKey(name: string, index: number): Promise<Buffer>;

  /** Signs a digest of 32 bytes as it is. @throws Error where there is no key, and for anything else than 32 bytes */
  abstract sign(name: string, index: number, digest: Buffer): Promise<EcdsaSignature>;

  /** Destroys a key, so that nothing is signed by it any more. Nothing happens where there is none. */
  abstract destroyKey(name: string): Promise<void>;
}
