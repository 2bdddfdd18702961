import { Injectable } from '@nestjs/common';
import {
  asSystem,
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Executor,
  type Transaction,
} from '../../database/index.js';
import { WalletSeed } from './wallet-seed.entity.js';

const LIVE = scopedStatement(
  'wallet_seeds.live',
  `SELECT id, user_id AS "userId", sealed_entropy AS "sealedEntropy"
   FROM wallet_seeds WHERE environment_id = $1 AND user_id = $2 AND destroy_after IS NULL`,
);

const CONDEMN = scopedStatement(
  'wallet_seeds.condemn',
  `UPDATE wallet_seeds SET destroy_after = now() + make_interval(days => $3)
   WHERE environment_id = $1 AND user_id = $2 AND destroy_after IS NULL`,
);

const DESTROY_DUE = asSystem('destroys the seeds of deleted users in every environment').statement(
  'wallet_seeds.destroy_due',
  `DELETE FROM wallet_seeds WHERE (environment_id, id) IN (
     SELECT environment_id, id FROM wallet_seeds WHERE destroy_after <= now()
     ORDER BY destroy_after LIMIT $1 FOR UPDATE SKIP LOCKED)`,
);

// `<>` would read the whole index; the two ranges around the current key are searched by it.
const COUNT_OUTDATED = asSystem('rotation of the master key covers every environment').statement(
  'wallet_seeds.count_outdated',
  'SELECT count(*)::int AS count FROM wallet_seeds WHERE master_key_id < $1 OR master_key_id > $1',
);

// One old key at a time: the index then gives the next rows without passing over those that are done.
const LOCK_OUTDATED = asSystem('rotation of the master key covers every environment').statement(
  'wallet_seeds.lock_outdated',
  `SELECT environment_id AS "environmentId", id, user_id AS "userId", sealed_entropy AS "sealedEntropy"
   FROM wallet_seeds
   WHERE master_key_id = coalesce(
     (SELECT min(master_key_id) FROM wallet_seeds WHERE master_key_id > $1),
     (SELECT max(master_key_id) FROM wallet_seeds WHERE master_key_id < $1))
   ORDER BY environment_id, id LIMIT $2 FOR UPDATE SKIP LOCKED`,
);

const REWRAP = asSystem('rotation of the master key covers every environment').statement(
  'wallet_seeds.rewrap',
  `UPDATE wallet_seeds s SET sealed_entropy = n.sealed, master_key_id = n.master_key_id
   FROM unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::text[]) AS n (environment_id, id, sealed, master_key_id)
   WHERE s.environment_id = n.environment_id AND s.id = n.id`,
);

/** The columns of a seed that keys are derived with. */
export type LiveSeed = Pick<WalletSeed, 'id' | 'userId' | 'sealedEntropy'>;

export type NewSeed = LiveSeed & Pick<WalletSeed, 'vaultOrganizationId' | 'vaultUserId' | 'masterKeyId'>;

/** A sealed seed of any environment. */
export type OutdatedSeed = Pick<WalletSeed, 'environmentId' | 'id' | 'userId' | 'sealedEntropy'>;

export type RewrappedSeed = Pick<WalletSeed, 'environmentId' | 'id' | 'sealedEntropy' | 'masterKeyId'>;

@Injectable()
export class SeedsRepository extends ScopedRepository<WalletSeed> {
  constructor(database: Database) {
    super(database, WalletSeed);
  }

  /** The seed in use; one that awaits destruction is never found. */
  async findLive(environmentId: EnvironmentId, userId: string, on: Executor = this.database): Promise<LiveSeed | null> {
    return (await on.rows<LiveSeed>(LIVE, [environmentId, userId]))[0] ?? null;
  }

  /** Takes the user's seed out of use; it is destroyed after `days`. */
  async condemn(environmentId: EnvironmentId, userId: string, days: number, tx: Transaction): Promise<void> {
    await tx.execute(CONDEMN, [environmentId, userId, days]);
  }

  /** Deletes up to `limit` seeds whose time has come, with the only copy of their data keys. */
  destroyDue(limit: number): Promise<number> {
    return this.database.execute(DESTROY_DUE, [limit]);
  }

  async countOutdated(masterKeyId: string): Promise<number> {
    const [row] = await this.database.rows<{ count: number }>(COUNT_OUTDATED, [masterKeyId]);
    return row?.count ?? 0;
  }

  /** Seeds under another master key than this, locked until the end of the transaction. */
  lockOutdated(masterKeyId: string, limit: number, tx: Transaction): Promise<OutdatedSeed[]> {
    return tx.rows<OutdatedSeed>(LOCK_OUTDATED, [masterKeyId, limit]);
  }

  replace(seeds: readonly RewrappedSeed[], tx: Transaction): Promise<number> {
    return tx.execute(REWRAP, [
      seeds.map(({ environmentId }) => environmentId),
      seeds.map(({ id }) => id),
      seeds.map(({ sealedEntropy }) => sealedEntropy),
      seeds.map(({ masterKeyId }) => masterKeyId),
    ]);
  }
}
