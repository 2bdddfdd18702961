import type { SealContext } from './seal-context.js';
import { SecretBytes } from './secret-bytes.js';
import { SealedBlobError } from './vault.errors.js';

export const DATA_KEY_BYTES = 32;

const PROBE: SealContext = { purpose: 'vault', environmentId: 'none', subjectId: 'none', kind: 'probe' };

/** A data key under a key encryption key. `bytes` is opaque to everyone but the vault that made it. */
export interface WrappedKey {
  /** Names the key encryption key and its version: printable ASCII, 1 to 255 characters, not secret. */
  readonly keyId: string;
  /** 1 to 65 535 bytes. */
  readonly bytes: Buffer;
}

/** A new data key, in plaintext and wrapped. The caller wipes it. */
export interface NewDataKey {
  readonly dataKey: SecretBytes;
  readonly wrapped: WrappedKey;
}

/**
 * Who protects data keys. The key encryption keys never leave the vault. A context is authenticated, not stored: the
 * same one must be given to unwrap (the encryption context of a cloud KMS, the derivation context of a transit engine).
 *
 * Refusals are `SealedBlobError`; any other error, such as `KeyVaultUnavailableError`, means that the vault could not be
 * asked, and the caller may try again.
 */
export abstract class KeyVault {
  /** The key that wraps new data keys. Data keys wrapped under any other key need `rewrap`. */
  abstract readonly currentKeyId: string;

  /** A new data key under the current key. Its bytes come from this process, unless the vault makes better ones. */
  async newDataKey(context: SealContext): Promise<NewDataKey> {
    const dataKey = SecretBytes.random(DATA_KEY_BYTES);
    try {
      return { dataKey, wrapped: await this.wrap(dataKey, context) };
    } catch (error) {
      dataKey.wipe();
      throw error;
    }
  }

  /** Wraps a 32-byte data key under the current key. */
  abstract wrap(dataKey: SecretBytes, context: SealContext): Promise<WrappedKey>;

  /** @throws SealedBlobError if the key is unknown, or the bytes or the context are not those it was wrapped with */
  abstract unwrap(wrapped: WrappedKey, context: SealContext): Promise<SecretBytes>;

  /** The same data key under the current key, without the data key leaving the vault. */
  abstract rewrap(wrapped: WrappedKey, context: SealContext): Promise<WrappedKey>;

  /**
   * Ends the use of older keys. Only for the moment at which nothing is wrapped under them.
   *
   * @returns one sentence: what has ended, or what the operator may take away
   */
  abstract retireOlderKeys(): Promise<string>;

  /** Resolves when keys can be wrapped and unwrapped; rejects otherwise. */
  async health(): Promise<void> {
    const { dataKey, wrapped } = await this.newDataKey(PROBE);
    const opened = await this.unwrap(wrapped, PROBE);
    const isSame = opened.expose().equals(dataKey.expose());
    opened.wipe();
    dataKey.wipe();
    if (!isSame) throw new SealedBlobError('not-authentic');
  }

  /** Closes connections to the vault, if any. */
  async close(): Promise<void> {}
}
