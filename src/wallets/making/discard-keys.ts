import { Logger } from '@nestjs/common';
import type { PreparedKeys } from '../../custody/index.js';

/** Keys that were made before a transaction. */
export type UnusedKeys = Pick<PreparedKeys, 'keysId' | 'discard'>;

const log = new Logger('UnusedKeys');

/**
 * Discards keys that no wallet uses. Never fails: the code of a custodian runs here, and whatever it throws or rejects
 * with must not hide the error that made the keys useless, nor end the process.
 */
export function discardKeys(keys: UnusedKeys): void {
  const discarded = new Promise((resolve) => resolve(keys.discard()));
  discarded.catch((error: unknown) => {
    const kind = error instanceof Error ? error.name : typeof error;
    log.warn(`keys=${keys.keysId} are not used and were not discarded: ${kind}`);
  });
}
