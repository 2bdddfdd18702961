import { Injectable } from '@nestjs/common';
import { scopedStatement, type EnvironmentId, type Transaction } from '../database/index.js';

// Waits for concurrent removals, does not skip their rows: a rollback could bring keys back.
const REMOVE_SHARES = scopedStatement(
  'environmentKeys.removeShares',
  `WITH gone AS (
     SELECT id FROM key_share_sets WHERE environment_id = $1 ORDER BY id LIMIT $2 FOR UPDATE)
   DELETE FROM key_share_sets k USING gone WHERE k.environment_id = $1 AND k.id = gone.id
   RETURNING k.id AS "keysId", k.user_id AS "userId", true AS "isInUse",
     jsonb_build_object('protocol', k.protocol, 'scheme', k.scheme) AS subject`,
);

const REMOVE_SEEDS = scopedStatement(
  'environmentKeys.removeSeeds',
  `WITH gone AS (
     SELECT id FROM wallet_seeds WHERE environment_id = $1 ORDER BY id LIMIT $2 FOR UPDATE)
   DELETE FROM wallet_seeds k USING gone WHERE k.environment_id = $1 AND k.id = gone.id
   RETURNING k.id AS "keysId", k.user_id AS "userId", k.destroy_after IS NULL AS "isInUse", '{}'::jsonb AS subject`,
);

const REMOVALS = { key_share_sets: REMOVE_SHARES, wallet_seeds: REMOVE_SEEDS };

/** Tables that hold keys. */
export type KeyTable = keyof typeof REMOVALS;
export const KEY_TABLES = Object.keys(REMOVALS) as KeyTable[];

export interface RemovedKeys {
  readonly keysId: string;
  readonly userId: string;
  /** False for keys that were awaiting destruction. */
  readonly isInUse: boolean;
  readonly subject: Readonly<Record<string, unknown>>;
}

/** Keys of an environment that is being deleted. */
@Injectable()
export class EnvironmentKeysRepository {
  /** Removes at most `limit` of them. */
  remove(table: KeyTable, environmentId: EnvironmentId, limit: number, tx: Transaction): Promise<RemovedKeys[]> {
    return tx.rows<RemovedKeys>(REMOVALS[table], [environmentId, limit]);
  }
}
