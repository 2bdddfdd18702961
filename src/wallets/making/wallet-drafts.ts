import { conflict } from '../../common/errors/index.js';
import { isLostConnection } from '../../database/index.js';
import { StaleDraft } from './wallet-maker.js';

/** Somebody else was faster each time: only requests that make and delete the same wallets at once get there. */
const MAX_DRAFTS = 5;

/** What is made before a transaction, and may turn out to be made in vain. */
interface Draft {
  /** Null when nothing has to be wiped. */
  readonly keys: { discard(): void } | null;
}

/**
 * Drafts, then writes; drafts again when the draft was overtaken. What was made in vain is wiped.
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
      // It may have been lost with the answer to the commit: keys that a wallet may have by now are not given up.
      if (!isLostConnection(error)) made.keys?.discard();
      if (!(error instanceof StaleDraft)) throw error;
    }
  }
  throw conflict();
}
