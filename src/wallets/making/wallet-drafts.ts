import { conflict } from '../../common/errors/index.js';
import { CommitInDoubt } from '../../database/index.js';
import { discardKeys, type UnusedKeys } from './discard-keys.js';
import { StaleDraft } from './wallet-maker.js';

/** Each draft was overtaken: only concurrent requests that create and delete the same wallets get this far. */
const MAX_DRAFTS = 5;

/** What is made before a transaction, possibly in vain. */
interface Draft {
  /** Null when nothing needs wiping. */
  readonly keys: UnusedKeys | null;
}

/**
 * Drafts, then writes; drafts again when the draft was overtaken. Unused keys are wiped.
 *
 * @throws ApiError conflict
 */
export async function draftAndWrite<D extends Draft, T>(
  draft: () => Promise<D>,
  write: (draft: D) => Promise<T>,
): Promise<T> {
  for (let drafts = 0; drafts < MAX_DRAFTS; drafts++) {
    const made = await draft();
    try {
      return await write(made);
    } catch (error) {
      // A wallet may use the keys by now.
      if (made.keys && !(error instanceof CommitInDoubt)) discardKeys(made.keys);
      if (!(error instanceof StaleDraft)) throw error;
    }
  }
  throw conflict();
}
