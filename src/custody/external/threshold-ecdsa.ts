/** A signature as the service returns it; it reveals nothing else about the key. */
export interface EcdsaSignature {
  /** `r | s`, 64 bytes, with low `s` (BIP-62). */
  readonly signature: Buffer;
  readonly recoveryId: 0 | 1;
}

/**
 * A licensed service that holds secp256k1 keys in shares and signs by threshold ECDSA: what chains without Schnorr
 * signatures need for a key that is never whole. The protocol is not implemented here; the operator supplies the
 * service. Every call goes over the network: none is made inside a transaction, and each times out after a few seconds.
 *
 * The caller verifies each signature before using it.
 */
export abstract class ThresholdEcdsa {
  /** Creates a key under a name chosen by the caller; a no-op if it already exists. */
  abstract createKey(name: string): Promise<void>;

  /** The compressed public key of one account, the same on every call. @throws Error if there is no such key */
  abstract publicKey(name: string, index: number): Promise<Buffer>;

  /** Signs a 32-byte digest as is. @throws Error if there is no such key, and for any other length */
  abstract sign(name: string, index: number, digest: Buffer): Promise<EcdsaSignature>;

  /** Destroys a key, so that it can sign nothing more. A no-op if there is none. */
  abstract destroyKey(name: string): Promise<void>;
}
