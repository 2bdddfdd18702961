/**
 * A sign-in whose rules had something to prepare is repeated within this time. Whatever it was told at first has to be
 * valid then too, since nothing can be prepared a second time.
 */
export const REPEATED_WITHIN_MS = 15_000;
