import { gcmOpen } from './aes-gcm.js';
import type { KeyVault } from './key-vault.js';
import { PreparedSeal } from './prepared-seal.js';
import { additionalData, type SealContext } from './seal-context.js';
import { BLOB_VERSION, encodeSealedBlob, parseSealedBlob } from './sealed-blob.js';
import { SecretBytes } from './secret-bytes.js';
import { KeyVaultUnavailableError, SealedBlobError } from './vault.errors.js';

/**
 * Envelope encryption of secrets at rest: every secret has its own random data key, which the vault wraps. With one
 * or a few encryptions per data key, random 96-bit nonces stay far from any bound, and rotating the vault's key
 * touches the wrapped data keys only.
 */
export class Envelope {
  constructor(private readonly vault: KeyVault) {}

  /** Seals a secret for one context. The caller still owns the plaintext, and wipes it. */
  async seal(plaintext: Uint8Array | SecretBytes, context: SealContext): Promise<Buffer> {
    return (await this.prepare(context)).seal(plaintext);
  }

  /** Asks the vault beforehand, for who is in a transaction by the time there is something to seal. */
  async prepare(context: SealContext): Promise<PreparedSeal> {
    const { dataKey, wrapped } = await this.vault.newDataKey(context);
    return new PreparedSeal(dataKey, wrapped, context);
  }

  /** @throws SealedBlobError if the blob is garbled, altered, or was sealed for another context */
  async open(blob: Buffer, context: SealContext): Promise<SecretBytes> {
    const { wrappedKey, payload } = parseSealedBlob(blob);
    const dataKey = await this.vault.unwrap(wrappedKey, context);
    try {
      return SecretBytes.from(gcmOpen(dataKey.expose(), payload, additionalData(context, BLOB_VERSION)));
    } finally {
      dataKey.wipe();
    }
  }

  /**
   * The same secret with its data key under the vault's current key, or null if it is there already. It has been opened:
   * it replaces the only copy, and a vault may answer with a key that it was not asked for.
   *
   * @throws SealedBlobError if the blob does not open under this context
   * @throws KeyVaultUnavailableError if it does, and would not any more
   */
  async rewrap(blob: Buffer, context: SealContext): Promise<Buffer | null> {
    const { wrappedKey, payload } = parseSealedBlob(blob);
    if (wrappedKey.keyId === this.vault.currentKeyId) return null;
    const moved = await this.vault.rewrap(wrappedKey, context);
    // For instance by a replica that has not heard of the new key: it would be found, rewrapped and recorded for ever.
    if (moved.keyId === wrappedKey.keyId)
      throw new KeyVaultUnavailableError('The key vault rewrapped a data key under the key that it was under.');
    const rewrapped = encodeSealedBlob({ wrappedKey: moved, payload });
    try {
      (await this.open(rewrapped, context)).wipe();
    } catch (error) {
      if (!(error instanceof SealedBlobError)) throw error;
      // Opens only if the vault is at fault rather than the row.
      (await this.open(blob, context)).wipe();
      throw new KeyVaultUnavailableError('The key vault rewrapped a data key as another one.');
    }
    return rewrapped;
  }

  /** @throws SealedBlobError if the blob is garbled */
  keyIdOf(blob: Buffer): string {
    return parseSealedBlob(blob).wrappedKey.keyId;
  }
}
