import { SecurityEvent } from '../common/security/index.js';

/** A ring of master keys that cannot be used. The message names the entry by its number and never quotes the text. */
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
