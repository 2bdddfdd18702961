import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Executor,
  type Transaction,
} from '../../database/index.js';
import { WalletSeed, type HeldSecretKind } from './wallet-seed.entity.js';

const LIVE = scopedStatement(
  'walletSeeds.findLive',
  `SELECT id, user_id AS "userId", sealed_entropy AS "sealedEntropy"
   FROM wallet_seeds
   WHERE environment_id = $1 AND user_id = $2 AND destroy_after IS NULL AND kind = 'hd-entropy'`,
);

const BY_ID = scopedStatement(
  'walletSeeds.findById',
  `SELECT sealed_entropy AS sealed, kind FROM wallet_seeds
   WHERE environment_id = $1 AND user_id = $2 AND id = $3 AND destroy_after IS NULL`,
);

// The seed first: its records are the ones that signed requests name.
const RECORDS = scopedStatement(
  'walletSeeds.findRecords',
  `SELECT vault_organization_id AS "vaultOrganizationId", vault_user_id AS "vaultUserId" FROM wallet_seeds
   WHERE environment_id = $1 AND user_id = $2 AND destroy_after IS NULL ORDER BY kind, created_at, id LIMIT 1`,
);

const CONDEMN = scopedStatement(
  'walletSeeds.condemn',
  `UPDATE wallet_seeds SET destroy_after = now() + make_interval(days => $3)
   WHERE environment_id = $1 AND user_id = $2 AND destroy_after IS NULL AND ($4::uuid IS NULL OR id = $4)
   RETURNING id`,
);

/** The columns of a seed that keys are derived with. */
export type LiveSeed = Pick<WalletSeed, 'id' | 'userId' | 'sealedEntropy'>;

/** What clients see as the keyvault's records. */
export type VaultRecords = Pick<WalletSeed, 'vaultOrganizationId' | 'vaultUserId'>;

export type NewSeed = LiveSeed & VaultRecords & Pick<WalletSeed, 'kind' | 'masterKeyId'>;

@Injectable()
export class SeedsRepository extends ScopedRepository<WalletSeed> {
  constructor(database: Database) {
    super(database, WalletSeed);
  }

  /** The seed in use; one that awaits destruction is never found. */
  async findLive(environmentId: EnvironmentId, userId: string, on: Executor = this.database): Promise<LiveSeed | null> {
    return (await on.rows<LiveSeed>(LIVE, [environmentId, userId]))[0] ?? null;
  }

  /** The seed or imported key of that id, unless it awaits destruction. */
  async findSealed(
    environmentId: EnvironmentId,
    userId: string,
    id: string,
  ): Promise<{ sealed: Buffer; kind: HeldSecretKind } | null> {
    const values = [environmentId, userId, id];
    return (await this.database.rows<{ sealed: Buffer; kind: HeldSecretKind }>(BY_ID, values))[0] ?? null;
  }

  /** Null for a user without keys. */
  async findRecords(environmentId: EnvironmentId, userId: string): Promise<VaultRecords | null> {
    return (await this.database.rows<VaultRecords>(RECORDS, [environmentId, userId]))[0] ?? null;
  }

  /**
   * Takes the user's seed and imported keys out of use, or one of them; they are destroyed after `days`.
   *
   * @returns the ids of those that were in use
   */
  async condemn(
    environmentId: EnvironmentId,
    userId: string,
    { days, keysId }: { readonly days: number; readonly keysId: string | null },
    tx: Transaction,
  ): Promise<string[]> {
    return (await tx.rows<{ id: string }>(CONDEMN, [environmentId, userId, days, keysId])).map(({ id }) => id);
  }
}
