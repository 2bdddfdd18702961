import type { CustodyVersion } from '../../custody/index.js';

/** Whether shares `k` are of the key of a wallet `w`, or were dealt to upgrade it; for statements of this context. */
export const ARE_OF_WALLET = `(k.id = w.seed_id AND w.version IN ('V2', 'V3') OR k.id = w.dealt_keys_id)`;

/** What a statement says of shares `k` that it has deleted with wallets `w`, so that {@link SHARES_DELETED} knows them. */
export const DELETED_OF_WALLET = 'k.id, k.protocol, k.scheme, w.id AS wallet_id';

/** Of the deleted, as `shares`, those of a wallet `w`: a list of {@link DeletedShares}. */
export const SHARES_DELETED = `coalesce((
     SELECT jsonb_agg(jsonb_build_object('keysId', k.id, 'walletId', w.id, 'protocol', k.protocol, 'scheme', k.scheme))
     FROM shares k WHERE k.wallet_id = w.id), '[]')`;

/** The service's shares of one key, after which nothing is signed with it any more. */
export interface DeletedShares {
  readonly keysId: string;
  /** Null for shares that no wallet was made from. */
  readonly walletId: string | null;
  readonly protocol: string;
  readonly scheme: string;
}

/** Keys that a custodian has made for a wallet, and the version of whoever holds them. */
export interface KeysOfVersion {
  readonly keysId: string;
  readonly version: CustodyVersion;
}
