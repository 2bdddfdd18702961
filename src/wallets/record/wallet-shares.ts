import type { CustodyVersion } from '../../custody/index.js';

/** Whether shares `k` are of the key of a wallet `w`, or were dealt to upgrade it; for statements of this context. */
export const ARE_OF_WALLET = `(k.id = w.seed_id AND w.version IN ('V2', 'V3') OR k.id = w.dealt_keys_id)`;

/** Columns that a statement returns for shares `k` it has deleted with wallets `w`, for {@link SHARES_DELETED}. */
export const DELETED_OF_WALLET = 'k.id, k.protocol, k.scheme, w.id AS wallet_id';

/** The deleted shares of a wallet `w`, taken from `shares`: a list of {@link DeletedShares}. */
export const SHARES_DELETED = `coalesce((
     SELECT jsonb_agg(jsonb_build_object('keysId', k.id, 'walletId', w.id, 'protocol', k.protocol, 'scheme', k.scheme))
     FROM shares k WHERE k.wallet_id = w.id), '[]')`;

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
