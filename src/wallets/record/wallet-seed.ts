/** Joins the seed or imported key `s` of a wallet `w`, for statements of this context. */
export const SEED_OF_WALLET = 'wallet_seeds s ON s.environment_id = w.environment_id AND s.id = w.seed_id';

/**
 * The id of {@link SEED_OF_WALLET} if it ends with the wallet: an imported key, or the seed of wallets that have shared
 * keys by now, when none other is made from it. It is their key as well.
 */
export const ENDS_WITH_WALLET = `CASE WHEN s.kind = 'private-key' OR (
       NOT EXISTS (SELECT FROM wallets o WHERE o.environment_id = $1 AND o.user_id = w.user_id AND o.seed_id = s.id AND o.id <> w.id)
       AND EXISTS (SELECT FROM wallets u WHERE u.environment_id = $1 AND u.user_id = w.user_id AND u.upgraded_from = s.id))
     THEN s.id END`;
