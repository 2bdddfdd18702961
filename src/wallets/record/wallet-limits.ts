/** Imported keys per user. */
export const MAX_IMPORTED_PER_USER = 20;

/** Wallets with shared keys per user. */
export const MAX_SHARED_PER_USER = 20;

/** External wallets per user. */
export const MAX_EXTERNAL_PER_USER = 100;
