/** Wallets whose keys a user has elsewhere. */
/** Keys that one user may have imported. */
export const MAX_IMPORTED_PER_USER = 20;

export const MAX_EXTERNAL_PER_USER = 100;
