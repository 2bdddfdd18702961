/** Wallets whose keys a user has elsewhere. */
export const MAX_EXTERNAL_PER_USER = 100;
