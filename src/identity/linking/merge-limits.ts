/** How long a proof of the other account is valid for a merge. */
export const MERGE_OFFER_SECONDS = 300;
/** How long an operator can undo a merge. */
export const MERGE_UNDO_SECONDS = 7 * 86_400;
/** How long a merge is recorded: an erasure in that time also scrubs events about the merged user. */
export const MERGE_KEPT_SECONDS = 90 * 86_400;
