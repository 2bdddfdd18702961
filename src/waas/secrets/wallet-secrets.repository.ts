import { Injectable } from '@nestjs/common';
import {
  Database,
  scopedStatement,
  type EnvironmentId,
  type Executor,
  type Transaction,
} from '../../database/index.js';
import type { WalletSecret, WalletSecretKind } from './wallet-secret.entity.js';

/** How often a secret may leave the service per window. */
export const MAX_SECRET_READS = 5;
export const SECRET_READ_HOURS = 24;

const isOver = `s.first_read_at <= now() - interval '${SECRET_READ_HOURS} hours'`;

// Of two concurrent calls, one inserts, and the other reads the existing row.
const INSERT = scopedStatement(
  'walletSecrets.insert',
  `INSERT INTO wallet_secrets (environment_id, id, user_id, wallet_id, kind, sealed_secret, master_key_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (environment_id, wallet_id, kind) DO NOTHING`,
);

// Counted by the statement that returns it, so that concurrent calls cannot exceed the limit.
const TAKE = scopedStatement(
  'walletSecrets.take',
  `UPDATE wallet_secrets s SET
     reads = CASE WHEN s.reads = 0 OR ${isOver} THEN 1 ELSE s.reads + 1 END,
     first_read_at = CASE WHEN s.reads = 0 OR ${isOver} THEN now() ELSE s.first_read_at END
   WHERE s.environment_id = $1 AND s.user_id = $2 AND s.wallet_id = $3 AND s.kind = $4
     AND (${isOver} OR s.reads < ${MAX_SECRET_READS})
   RETURNING s.id, s.sealed_secret AS "sealedSecret"`,
);

const GIVE_BACK = scopedStatement(
  'walletSecrets.restore',
  'UPDATE wallet_secrets SET reads = reads - 1 WHERE environment_id = $1 AND id = $2 AND reads > 0',
);

const WAIT = scopedStatement(
  'walletSecrets.findWait',
  `SELECT greatest(1, ceil(extract(epoch FROM
     first_read_at + interval '${SECRET_READ_HOURS} hours' - now())))::int AS seconds
   FROM wallet_secrets s WHERE environment_id = $1 AND user_id = $2 AND wallet_id = $3 AND kind = $4
     AND NOT (${isOver} OR s.reads < ${MAX_SECRET_READS})`,
);

// Claimed wallets first, as nothing is released for the others; among them, the one waiting for its user the longest.
const WITH_PASSCODE = scopedStatement(
  'walletSecrets.findWithPasscode',
  `SELECT w.id FROM wallet_secrets s
   JOIN wallets w ON w.environment_id = s.environment_id AND w.id = s.wallet_id
   WHERE s.environment_id = $1 AND s.user_id = $2 AND s.kind = 'passcode' AND w.deleted_at IS NULL
   ORDER BY w.claimed_at IS NULL, s.created_at, s.id LIMIT 1`,
);

const MAIN_SHARED = scopedStatement(
  'walletSecrets.findMainShared',
  `SELECT id FROM wallets
   WHERE environment_id = $1 AND user_id = $2 AND kind = 'embedded' AND version IN ('V2', 'V3') AND deleted_at IS NULL
   ORDER BY claimed_at IS NULL, last_selected_at DESC NULLS LAST, created_at, id LIMIT 1`,
);

// Also clears the flag in the wallet's credential that its shares are to be refreshed.
const DELETE_PASSCODE = scopedStatement(
  'walletSecrets.deletePasscode',
  `WITH gone AS (
     DELETE FROM wallet_secrets WHERE environment_id = $1 AND wallet_id = $2 AND kind = 'passcode' RETURNING user_id)
   UPDATE credentials c SET wallet_properties = c.wallet_properties #- '{settings,shouldRefreshOnNextSignOn}'
   FROM gone WHERE c.environment_id = $1 AND c.user_id = gone.user_id AND c.wallet_id = $2`,
);

/** A wallet secret to be stored. */
export type NewWalletSecret = Pick<WalletSecret, 'id' | 'kind' | 'sealedSecret' | 'masterKeyId'>;

/** Identifies a secret. */
export interface SecretOf {
  readonly userId: string;
  readonly walletId: string;
  readonly kind: WalletSecretKind;
}

/** Secrets that open share copies. */
@Injectable()
export class WalletSecretsRepository {
  constructor(private readonly database: Database) {}

  /** Keeps an existing one. */
  async insertIfAbsent(
    environmentId: EnvironmentId,
    { userId, walletId }: Omit<SecretOf, 'kind'>,
    { id, kind, sealedSecret, masterKeyId }: NewWalletSecret,
    on: Executor = this.database,
  ): Promise<void> {
    await on.execute(INSERT, [environmentId, id, userId, walletId, kind, sealedSecret, masterKeyId]);
  }

  /** Null when there is none, or the limit of the window is reached. */
  async take(
    environmentId: EnvironmentId,
    { userId, walletId, kind }: SecretOf,
  ): Promise<Pick<WalletSecret, 'id' | 'sealedSecret'> | null> {
    const values = [environmentId, userId, walletId, kind];
    return (await this.database.rows<Pick<WalletSecret, 'id' | 'sealedSecret'>>(TAKE, values))[0] ?? null;
  }

  /** For the call that took it, when it returns nothing. */
  async giveBack(environmentId: EnvironmentId, id: string): Promise<void> {
    await this.database.execute(GIVE_BACK, [environmentId, id]);
  }

  /** Seconds until the next window; null when the limit is not the reason. */
  async waitSeconds(environmentId: EnvironmentId, { userId, walletId, kind }: SecretOf): Promise<number | null> {
    const values = [environmentId, userId, walletId, kind];
    return (await this.database.rows<{ seconds: number }>(WAIT, values))[0]?.seconds ?? null;
  }

  /** The wallet that is meant if none is named. */
  async findWallet(environmentId: EnvironmentId, userId: string, kind: WalletSecretKind): Promise<string | null> {
    const statement = kind === 'passcode' ? WITH_PASSCODE : MAIN_SHARED;
    return (await this.database.rows<{ id: string }>(statement, [environmentId, userId]))[0]?.id ?? null;
  }

  /** For when the shares it was made for are replaced. */
  async deletePasscode(environmentId: EnvironmentId, walletId: string, tx: Transaction): Promise<void> {
    await tx.execute(DELETE_PASSCODE, [environmentId, walletId]);
  }
}
