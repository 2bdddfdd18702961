import { serviceUnavailable, type ApiError } from '../common/errors/index.js';
import { SecurityEvent } from '../common/security/index.js';

/** Master keys that cannot be used for an operation. The message names an entry by its number and never quotes it. */
export class KeyRingError extends Error {
  override readonly name = 'KeyRingError';
}

/**
 * Why a sealed blob did not open:
 * - `malformed`: not a blob of a known version, or truncated;
 * - `unknown-key`: its key encryption key is not in the vault, for instance because it was retired too early;
 * - `not-authentic`: altered, or opened with another context than it was sealed with.
 */
export type SealedBlobRefusal = 'malformed' | 'unknown-key' | 'not-authentic';

/** A sealed blob that does not open. States only which check failed, nothing about its content. */
export class SealedBlobError extends Error {
  override readonly name = 'SealedBlobError';

  constructor(readonly reason: SealedBlobRefusal) {
    super(`Sealed secret refused: ${reason}.`);
  }

  /** Its entry in the security log, unless a caller handles the error. */
  get security(): SecurityEvent {
    return SecurityEvent.SealRefused;
  }
}

/** Rows of a table that do not open. The others of their batch are rewrapped, and these stay as they were. */
export class UnopenedRowsError extends Error {
  override readonly name = 'UnopenedRowsError';

  /**
   * @param rows what identifies each of them, and why it does not open
   * @param rewrapped the number of rows of the batch that are now under the current master key
   */
  constructor(
    readonly rows: readonly string[],
    readonly rewrapped: number,
  ) {
    super('Sealed rows do not open.');
  }
}

/** A secret was read after it was wiped. Thrown because zeros would pass for a key. */
export class SecretWipedError extends Error {
  override readonly name = 'SecretWipedError';

  constructor() {
    super('This secret has been wiped.');
  }
}

/**
 * An external vault that cannot be used now: unavailable, overloaded, or rejecting our credentials. The message names
 * the vault and its error code, and never contains what was sent.
 */
export class KeyVaultUnavailableError extends Error {
  override readonly name = 'KeyVaultUnavailableError';
}

const RETRY_AFTER_SECONDS = 2;

/**
 * The client's view of a vault outage, and of a secret whose key this instance does not have: until a change of the
 * master key has reached every instance, another one answers, and this one does later. Altered secrets stay faults.
 */
export function translateVaultError(error: unknown): ApiError | null {
  const details = { cause: error, retryAfterSeconds: RETRY_AFTER_SECONDS };
  if (error instanceof KeyVaultUnavailableError) {
    return serviceUnavailable({ ...details, security: SecurityEvent.VaultUnavailable });
  }
  return error instanceof SealedBlobError && error.reason === 'unknown-key'
    ? serviceUnavailable({ ...details, security: error.security, isFault: true })
    : null;
}
