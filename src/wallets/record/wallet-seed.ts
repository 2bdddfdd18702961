/** Joins the seed or imported key `s` of a wallet `w`, for statements of this context. */
export const SEED_OF_WALLET = 'wallet_seeds s ON s.environment_id = w.environment_id AND s.id = w.seed_id';
