/** Where the seed or the imported key `s` of a wallet `w` is, for statements of this context. */
export const SEED_OF_WALLET = 'wallet_seeds s ON s.environment_id = w.environment_id AND s.id = w.seed_id';
