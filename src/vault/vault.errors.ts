import { serviceUnavailable, type ApiError } from '../common/errors/index.js';
import { SecurityEvent } from '../common/security/index.js';

/** Master keys that cannot be used for what is asked. The message names an entry by its number and never quotes it. */
export class KeyRingError extends Error {
  override readonly name = 'KeyRingError';
}

/**
 * Why a sealed blob stayed shut:
 * - `malformed`: not a blob of a known version, or cut short;
 * - `unknown-key`: its key encryption key is not in the vault, for instance retired too early;
 * - `not-authentic`: altered, or opened under another context than it was sealed for.
 */
export type SealedBlobRefusal = 'malformed' | 'unknown-key' | 'not-authentic';

/** A sealed blob that does not open. Says only which check refused it, nothing of what it holds. */
export class SealedBlobError extends Error {
  override readonly name = 'SealedBlobError';

  constructor(readonly reason: SealedBlobRefusal) {
    super(`Sealed secret refused: ${reason}.`);
  }

  /** The line it has in the security log when nobody else makes something of it. */
  get security(): SecurityEvent {
    return SecurityEvent.SealRefused;
  }
}

/** A secret was read after it had been wiped. Thrown because zeros would pass for a key. */
export class SecretWipedError extends Error {
  override readonly name = 'SecretWipedError';

  constructor() {
    super('This secret has been wiped.');
  }
}

/**
 * A vault outside of this process that cannot be used now: away, overloaded, or refusing us. The message names the vault
 * and what it said, by its code, and never what was sent.
 */
export class KeyVaultUnavailableError extends Error {
  override readonly name = 'KeyVaultUnavailableError';
}

const RETRY_AFTER_SECONDS = 2;

/** What an outage of the vault means to a client: the same call may succeed later. */
export function translateVaultError(error: unknown): ApiError | null {
  if (!(error instanceof KeyVaultUnavailableError)) return null;
  const security = SecurityEvent.VaultUnavailable;
  return serviceUnavailable({ cause: error, retryAfterSeconds: RETRY_AFTER_SECONDS, security });
}
