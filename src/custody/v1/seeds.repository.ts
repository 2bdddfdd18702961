import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Executor,
  type Transaction,
} from '../../database/index.js';
import { WalletSeed } from './wallet-seed.entity.js';

const LIVE = scopedStatement(
  'walletSeeds.findLive',
  `SELECT id, user_id AS "userId", sealed_entropy AS "sealedEntropy"
   FROM wallet_seeds WHERE environment_id = $1 AND user_id = $2 AND destroy_after IS NULL`,
);

const CONDEMN = scopedStatement(
  'walletSeeds.condemn',
  `UPDATE wallet_seeds SET destroy_after = now() + make_interval(days => $3)
   WHERE environment_id = $1 AND user_id = $2 AND destroy_after IS NULL RETURNING id`,
);

/** The columns of a seed that keys are derived with. */
export type LiveSeed = Pick<WalletSeed, 'id' | 'userId' | 'sealedEntropy'>;

export type NewSeed = LiveSeed & Pick<WalletSeed, 'vaultOrganizationId' | 'vaultUserId' | 'masterKeyId'>;

@Injectable()
export class SeedsRepository extends ScopedRepository<WalletSeed> {
  constructor(database: Database) {
    super(database, WalletSeed);
  }

  /** The seed in use; one that awaits destruction is never found. */
  async findLive(environmentId: EnvironmentId, userId: string, on: Executor = this.database): Promise<LiveSeed | null> {
    return (await on.rows<LiveSeed>(LIVE, [environmentId, userId]))[0] ?? null;
  }

  /** Takes the user's seed out of use; it is destroyed after `days`. @returns its id, if there was one */
  async condemn(environmentId: EnvironmentId, userId: string, days: number, tx: Transaction): Promise<string[]> {
    return (await tx.rows<{ id: string }>(CONDEMN, [environmentId, userId, days])).map(({ id }) => id);
  }
}
