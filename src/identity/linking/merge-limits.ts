/** So long a proof of the other account is good for a merge. */
export const MERGE_OFFER_SECONDS = 300;
/** So long an operator can undo a merge. */
export const MERGE_UNDO_SECONDS = 7 * 86_400;
/** So long what is known of a merge is kept: whoever is erased meanwhile takes what was told of the other user along. */
export const MERGE_KEPT_SECONDS = 90 * 86_400;
