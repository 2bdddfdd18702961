import type { CustodyVersion } from '../../custody/index.js';

/** Whether shares `k` are of the key of a wallet `w`, or were dealt to upgrade it; for statements of this context. */
export const ARE_OF_WALLET = `(k.id = w.seed_id AND w.version IN ('V2', 'V3') OR k.id = w.dealt_keys_id)`;

/** Columns that a statement returns for shares `k` it has deleted with wallets `w`, for {@link SHARES_DELETED}. */
export const DELETED_OF_WALLET = 'k.id, k.protocol, k.scheme, w.id AS wallet_id';

/** The deleted shares of a wallet `w`, taken from `shares`: a list of {@link DeletedShares}. */
export const SHARES_DELETED = `coalesce((
     SELECT jsonb_agg(jsonb_build_object('keysId', k.id, 'walletId', w.id, 'protocol', k.protocol, 'scheme', k.scheme))
     FROM shares k WHERE k.wallet_id = w.id), '[]')`;

/** The keys of a deleted wallet `w` that a custodian made, as {@link KeysOfVersion}, unless another wallet has them. */
export const LAST_OF_KEYS = `CASE WHEN w.account_index IS NOT NULL AND NOT EXISTS (
       SELECT FROM wallets o
       WHERE o.environment_id = $1 AND o.user_id = w.user_id AND o.seed_id = w.seed_id AND o.id <> w.id)
     THEN jsonb_build_object('keysId', w.seed_id, 'version', w.version) END`;

/** The service's shares of one key; once deleted, nothing can be signed with it any more. */
export interface DeletedShares {
  readonly keysId: string;
  /** Null for shares from which no wallet was made. */
  readonly walletId: string | null;
  readonly protocol: string;
  readonly scheme: string;
}

/** Keys that a custodian made for a wallet, and the version of the custodian. */
export interface KeysOfVersion {
  readonly keysId: string;
  readonly version: CustodyVersion;
}
