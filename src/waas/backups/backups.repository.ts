import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';
import type { KeyShareBackup } from './key-share-backup.entity.js';

/** Copies recorded by clients per wallet, not counting what the service stores itself. */
export const MAX_BACKUPS = 20;

// Before all other locks: deleting a user locks the user's row first.
const LOCK_USER = scopedStatement(
  'keyShareBackups.lockUser',
  'SELECT id FROM users WHERE environment_id = $1 AND id = $2 FOR KEY SHARE',
);

const INSERT = scopedStatement(
  'keyShareBackups.insert',
  `INSERT INTO key_share_backups (environment_id, user_id, wallet_id, keys_id, generation, id, location,
     password_encrypted, external_key_share_id, keygen_id, sealed_credential, master_key_id)
   SELECT $1, $2, $3, $4, $5, b.*
   FROM unnest($6::uuid[], $7::text[], $8::boolean[], $9::uuid[], $10::text[], $11::bytea[], $12::text[]) AS b`,
);

const LIST = scopedStatement(
  'keyShareBackups.list',
  `SELECT b.id, b.location, b.password_encrypted AS "passwordEncrypted", b.external_key_share_id AS "externalKeyShareId",
     b.keygen_id AS "keygenId", b.sealed_credential AS "sealedCredential", b.master_key_id AS "masterKeyId",
     b.generation, b.keys_id = k.id AND b.generation = k.generation AS "isCurrent"
   FROM key_share_backups b
   JOIN key_share_sets k ON k.environment_id = b.environment_id AND k.user_id = b.user_id AND k.id = $4
   WHERE b.environment_id = $1 AND b.user_id = $2 AND b.wallet_id = $3
   ORDER BY b.created_at, b.id LIMIT ${2 * MAX_BACKUPS}`,
);

const DELETE_OLD = scopedStatement(
  'keyShareBackups.deleteOld',
  `DELETE FROM key_share_backups
   WHERE environment_id = $1 AND wallet_id = $2 AND (keys_id <> $3 OR generation <> $4 OR id = ANY ($5::uuid[]))`,
);

export type BackupRow = Pick<
  KeyShareBackup,
  'id' | 'location' | 'passwordEncrypted' | 'externalKeyShareId' | 'keygenId' | 'sealedCredential' | 'masterKeyId'
>;

/** A copy, and whether its shares are the current ones. */
export type ListedBackup = BackupRow & { readonly generation: number; readonly isCurrent: boolean };

/** The generation of shares that copies belong to. */
export interface CopiedShares {
  readonly userId: string;
  readonly walletId: string;
  readonly keysId: string;
  readonly generation: number;
}

/** Backup copies of users' shares. */
@Injectable()
export class BackupsRepository {
  constructor(private readonly database: Database) {}

  /** Locks the user until the end of the transaction. False for a deleted user. */
  async lockUser(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<boolean> {
    return (await tx.rows(LOCK_USER, [environmentId, userId])).length > 0;
  }

  /** The copies of a wallet, oldest first. Copies of replaced shares are not current. */
  async list(
    environmentId: EnvironmentId,
    { userId, walletId, keysId }: Omit<CopiedShares, 'generation'>,
    tx?: Transaction,
  ): Promise<ListedBackup[]> {
    return (tx ?? this.database).rows(LIST, [environmentId, userId, walletId, keysId]);
  }

  /** Deletes copies of other shares, and those named. @returns how many were deleted */
  async deleteOld(
    environmentId: EnvironmentId,
    { walletId, keysId, generation }: CopiedShares,
    ids: readonly string[],
    tx: Transaction,
  ): Promise<number> {
    return tx.execute(DELETE_OLD, [environmentId, walletId, keysId, generation, ids]);
  }

  async insert(
    environmentId: EnvironmentId,
    { userId, walletId, keysId, generation }: CopiedShares,
    rows: readonly BackupRow[],
    tx: Transaction,
  ): Promise<void> {
    await tx.execute(INSERT, [
      ...[environmentId, userId, walletId, keysId, generation],
      rows.map(({ id }) => id),
      rows.map(({ location }) => location),
      rows.map(({ passwordEncrypted }) => passwordEncrypted),
      rows.map(({ externalKeyShareId }) => externalKeyShareId),
      rows.map(({ keygenId }) => keygenId),
      rows.map(({ sealedCredential }) => sealedCredential),
      rows.map(({ masterKeyId }) => masterKeyId),
    ]);
  }
}
