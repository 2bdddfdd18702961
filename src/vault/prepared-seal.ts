import { gcmSeal } from './aes-gcm.js';
import type { WrappedKey } from './key-vault.js';
import { additionalData, type SealContext } from './seal-context.js';
import { BLOB_VERSION, encodeSealedBlob } from './sealed-blob.js';
import { SecretBytes } from './secret-bytes.js';

/** An already wrapped data key, which seals one secret without calling the vault. */
export class PreparedSeal {
  constructor(
    private readonly dataKey: SecretBytes,
    private readonly wrappedKey: WrappedKey,
    private readonly context: SealContext,
  ) {}

  /**
   * The caller still owns the plaintext, and wipes it.
   *
   * @throws SecretWipedError the second time, and after `discard`
   */
  seal(plaintext: Uint8Array | SecretBytes): Buffer {
    try {
      const bytes = plaintext instanceof SecretBytes ? plaintext.expose() : plaintext;
      const payload = gcmSeal(this.dataKey.expose(), bytes, additionalData(this.context, BLOB_VERSION));
      return encodeSealedBlob({ wrappedKey: this.wrappedKey, payload });
    } finally {
      this.dataKey.wipe();
    }
  }

  /** For a data key that turned out not to be needed. */
  discard(): void {
    this.dataKey.wipe();
  }
}
