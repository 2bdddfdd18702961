import { Injectable } from '@nestjs/common';
import {
  Database,
  scopedStatement,
  type EnvironmentId,
  type Executor,
  type Transaction,
} from '../../database/index.js';
import type { DelegatedAccess } from './delegated-access.js';

const GIVE = scopedStatement(
  'walletDelegations.put',
  `INSERT INTO wallet_delegations AS d (environment_id, wallet_id, id, user_id, credential_hash, access, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (environment_id, wallet_id) DO UPDATE SET id = excluded.id, user_id = excluded.user_id,
     credential_hash = excluded.credential_hash, access = excluded.access, expires_at = excluded.expires_at,
     spent = 0, spent_on = NULL, created_at = now()`,
);

// Ends with the wallet, and when the wallet passes to another user or its user refuses access.
const FIND = scopedStatement(
  'walletDelegations.findLive',
  `SELECT d.id, d.credential_hash AS "credentialHash", d.access,
     CASE WHEN d.spent_on >= (now() AT TIME ZONE 'UTC')::date THEN d.spent ELSE 0 END::text AS "spentToday"
   FROM wallet_delegations d JOIN wallets w
     ON w.environment_id = d.environment_id AND w.id = d.wallet_id AND w.user_id = d.user_id
   WHERE d.environment_id = $1 AND d.wallet_id = $2 AND d.expires_at > now()
     AND w.deleted_at IS NULL AND NOT w.denies_delegation`,
);

const HOLD = scopedStatement(
  'walletDelegations.hold',
  `SELECT id FROM wallet_delegations
   WHERE environment_id = $1 AND wallet_id = $2 AND id = $3 AND expires_at > now() FOR SHARE`,
);

// A transaction that began before midnight may find what was charged after it: its own charge counts for the new day.
const CHARGE = scopedStatement(
  'walletDelegations.takeTotal',
  `UPDATE wallet_delegations d SET spent_on = greatest(d.spent_on, t.today),
     spent = CASE WHEN d.spent_on >= t.today THEN d.spent ELSE 0 END + $4::numeric
   FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS today) t
   WHERE d.environment_id = $1 AND d.wallet_id = $2 AND d.id = $3
     AND CASE WHEN d.spent_on >= t.today THEN d.spent ELSE 0 END + $4::numeric <= $5::numeric`,
);

const SHOWN = `d.wallet_id AS "walletId", d.user_id AS "userId", w.chain, w.address, w.seed_id AS "keysId"`;

// Deleting a user cascades to their wallets and the access to them, in an order the database chooses: so every
// transaction that locks several rows locks users before anything that belongs to them.
const HOLD_OWNERS = scopedStatement(
  'walletDelegations.holdOwners',
  `SELECT id FROM users WHERE environment_id = $1 AND id IN (
     SELECT user_id FROM wallet_delegations WHERE environment_id = $1 AND wallet_id = ANY($2::uuid[]))
   ORDER BY id FOR KEY SHARE`,
);

const HOLD_USER = scopedStatement(
  'walletDelegations.holdUser',
  'SELECT id FROM users WHERE environment_id = $1 AND id = $2 FOR KEY SHARE',
);

// Locked in wallet order, so that overlapping lists cannot deadlock.
const REVOKE = scopedStatement(
  'walletDelegations.revoke',
  `WITH held AS (
     SELECT wallet_id FROM wallet_delegations
     WHERE environment_id = $1 AND wallet_id = ANY($2::uuid[]) ORDER BY wallet_id FOR UPDATE),
   d AS (
     DELETE FROM wallet_delegations d USING held
     WHERE d.environment_id = $1 AND d.wallet_id = held.wallet_id RETURNING d.*)
   SELECT ${SHOWN} FROM d JOIN wallets w ON w.environment_id = $1 AND w.id = d.wallet_id ORDER BY d.wallet_id`,
);

// Waits for signatures in progress, and blocks new ones.
const LOCK_WALLET = scopedStatement(
  'walletDelegations.lockWallet',
  `SELECT address, denies_delegation AS "isDenied" FROM wallets
   WHERE environment_id = $1 AND user_id = $2 AND id = $3 AND kind = 'embedded' AND deleted_at IS NULL FOR UPDATE`,
);

const IS_DENIED = scopedStatement(
  'walletDelegations.checkDenied',
  'SELECT id FROM wallets WHERE environment_id = $1 AND id = $2 AND denies_delegation',
);

const DENY = scopedStatement(
  'walletDelegations.setDenied',
  'UPDATE wallets SET denies_delegation = $3, updated_at = now() WHERE environment_id = $1 AND id = $2',
);

/** Access in force now. */
export interface LiveDelegation {
  readonly id: string;
  readonly credentialHash: Buffer;
  readonly access: DelegatedAccess;
  readonly spentToday: string;
}

export interface NewDelegation {
  readonly id: string;
  readonly walletId: string;
  readonly userId: string;
  readonly credentialHash: Buffer;
  readonly access: DelegatedAccess;
  readonly expiresAt: Date;
}

export interface LockedWallet {
  readonly address: string;
  readonly isDenied: boolean;
}

/** Access that has ended, with the keys it was for. */
export interface EndedDelegation {
  readonly walletId: string;
  readonly userId: string;
  readonly chain: string;
  readonly address: string;
  readonly keysId: string;
}

@Injectable()
export class WalletDelegationsRepository {
  constructor(private readonly database: Database) {}

  /** Replaces access that was given before. */
  async give(environmentId: EnvironmentId, given: NewDelegation, tx: Transaction): Promise<void> {
    const { id, walletId, userId, credentialHash, access, expiresAt } = given;
    await tx.execute(GIVE, [environmentId, walletId, id, userId, credentialHash, JSON.stringify(access), expiresAt]);
  }

  async findLive(
    environmentId: EnvironmentId,
    walletId: string,
    on: Executor = this.database,
  ): Promise<LiveDelegation | null> {
    return (await on.rows<LiveDelegation>(FIND, [environmentId, walletId]))[0] ?? null;
  }

  /** Locks the access until the end of the transaction. False when it was revoked, replaced or has expired. */
  async hold(environmentId: EnvironmentId, walletId: string, id: string, tx: Transaction): Promise<boolean> {
    return (await tx.rows(HOLD, [environmentId, walletId, id])).length > 0;
  }

  /** False when the daily cap would be exceeded, or the access has ended. */
  async charge(
    environmentId: EnvironmentId,
    { walletId, id, amount, maxPerDay }: { walletId: string; id: string; amount: bigint; maxPerDay: bigint },
    tx: Transaction,
  ): Promise<boolean> {
    return (await tx.execute(CHARGE, [environmentId, walletId, id, String(amount), String(maxPerDay)])) === 1;
  }

  /** @returns the access that this call ended */
  revoke(environmentId: EnvironmentId, walletIds: readonly string[], tx: Transaction): Promise<EndedDelegation[]> {
    tx.send(HOLD_OWNERS, [environmentId, walletIds]);
    return tx.rows<EndedDelegation>(REVOKE, [environmentId, walletIds]);
  }

  /** Null unless it is an embedded wallet of the user that is not hidden. */
  async lockWallet(
    environmentId: EnvironmentId,
    userId: string,
    walletId: string,
    tx: Transaction,
  ): Promise<LockedWallet | null> {
    tx.send(HOLD_USER, [environmentId, userId]);
    return (await tx.rows<LockedWallet>(LOCK_WALLET, [environmentId, userId, walletId]))[0] ?? null;
  }

  /** Whether the user of the wallet refuses to give access. */
  async isDenied(environmentId: EnvironmentId, walletId: string): Promise<boolean> {
    return (await this.database.rows(IS_DENIED, [environmentId, walletId])).length > 0;
  }

  async setDenied(environmentId: EnvironmentId, walletId: string, isDenied: boolean, tx: Transaction): Promise<void> {
    await tx.execute(DENY, [environmentId, walletId, isDenied]);
  }
}
