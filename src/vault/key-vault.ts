import type { SealContext } from './seal-context.js';
import type { SecretBytes } from './secret-bytes.js';

/** A data key under a key encryption key. `bytes` is opaque to everyone but the vault that made it. */
export interface WrappedKey {
  /** Names the key encryption key and its version: printable ASCII, 1 to 255 characters, not secret. */
  readonly keyId: string;
  /** 1 to 65 535 bytes. */
  readonly bytes: Buffer;
}

/**
 * Who protects data keys. The key encryption keys never leave the vault. A context is authenticated, not stored: the
 * same one must be given to unwrap (the encryption context of a cloud KMS, the derivation context of a transit engine).
 *
 * Refusals are `SealedBlobError`; any other error means that the vault could not be asked, and the caller may try again.
 */
export abstract class KeyVault {
  /** The key that new data keys are wrapped under. A wrapped key under any other is due for `rewrap`. */
  abstract readonly currentKeyId: string;

  /** Wraps a 32-byte data key under the current key. */
  abstract wrap(dataKey: SecretBytes, context: SealContext): Promise<WrappedKey>;

  /** @throws SealedBlobError if the key is unknown, or the bytes or the context are not those it was wrapped with */
  abstract unwrap(wrapped: WrappedKey, context: SealContext): Promise<SecretBytes>;

  /** The same data key under the current key, without the data key leaving the vault. */
  abstract rewrap(wrapped: WrappedKey, context: SealContext): Promise<WrappedKey>;

  /** Resolves when keys can be wrapped and unwrapped; rejects otherwise. */
  abstract health(): Promise<void>;
}
