/** Keys that one user may have imported. */
export const MAX_IMPORTED_PER_USER = 20;

/** Wallets of which the user has shares of the key. */
export const MAX_SHARED_PER_USER = 20;

/** Wallets whose keys a user has elsewhere. */
export const MAX_EXTERNAL_PER_USER = 100;
