import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../../database/index.js';
import type { StoredPasskey } from './passkey-challenges.repository.js';
import { Passkey } from './passkey.entity.js';

/** Maximum number a user may register. */
export const MAX_PASSKEYS = 10;
/** A merge combines the passkeys of two users, and all keep working: more can be listed than registered. */
const MOST_LISTED = 100;

const OF_USER = `passkeys p JOIN credentials c
   ON c.environment_id = p.environment_id AND c.id = p.id AND c.environment_id = $1 AND c.user_id = $2`;
const SHOWN = `p.id, p.credential_id AS "credentialId", p.rp_id AS "rpId", p.user_handle AS "userHandle", p.transports,
   p.alias, p.user_agent AS "userAgent", p.origin, p.created_at AS "createdAt", p.updated_at AS "updatedAt"`;

const LIST = scopedStatement(
  'passkeys.listOfUser',
  `SELECT ${SHOWN} FROM ${OF_USER} WHERE c.environment_id = $1 ORDER BY p.id LIMIT ${MOST_LISTED}`,
);
const FIND_OWN = scopedStatement(
  'passkeys.findOfUser',
  `SELECT p.id, c.user_id AS "ownerId", p.rp_id AS "rpId", p.public_key AS "publicKey", p.user_handle AS "userHandle",
     p.sign_count::float8 AS "signCount", p.backup_eligible AS "backupEligible", p.created_at AS "createdAt"
   FROM ${OF_USER} WHERE c.environment_id = $1 AND p.environment_id = $1 AND p.credential_id = $3`,
);
const RENAME = scopedStatement(
  'passkeys.updateAlias',
  `UPDATE passkeys p SET alias = coalesce($4, p.alias), updated_at = now() FROM credentials c
   WHERE p.environment_id = $1 AND p.id = $3 AND c.environment_id = $1 AND c.id = p.id AND c.user_id = $2
   RETURNING ${SHOWN}`,
);
/** Changes to a user's passkeys queue here, so that each counts the results of those before it. */
const LOCK_USER = scopedStatement(
  'passkeys.lockUser',
  'SELECT id FROM users WHERE environment_id = $1 AND id = $2 FOR NO KEY UPDATE',
);
const ADD = scopedStatement(
  'passkeys.add',
  `WITH known AS (
     SELECT count(*)::int AS passkeys FROM credentials
     WHERE environment_id = $1 AND user_id = $2 AND format = 'passkey'),
   added AS (
     INSERT INTO passkeys (environment_id, id, credential_id, public_key, user_handle, rp_id, sign_count,
       backup_eligible, backed_up, transports, aaguid, origin, user_agent)
     SELECT $1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14 FROM known WHERE known.passkeys < ${MAX_PASSKEYS}
     ON CONFLICT DO NOTHING RETURNING id)
   SELECT known.passkeys < ${MAX_PASSKEYS} AS "hasRoom", EXISTS (SELECT FROM added) AS "isNew" FROM known`,
);
/**
 * If the authenticator has a counter, it must have increased, or this is a copy (WebAuthn §6.1.1). Locks the user first,
 * like whoever unlinks the passkey or deletes the user; otherwise the two could deadlock.
 */
const USE = scopedStatement(
  'passkeys.recordUse',
  `WITH theirs AS (
     SELECT u.id FROM credentials c JOIN users u ON u.environment_id = $1 AND u.id = c.user_id
     WHERE c.environment_id = $1 AND c.id = $2 FOR NO KEY UPDATE OF u)
   UPDATE passkeys p SET sign_count = $3, backed_up = $4, last_used_at = now() FROM theirs
   WHERE p.environment_id = $1 AND p.id = $2 AND (p.sign_count < $3 OR (p.sign_count = 0 AND $3 = 0))`,
);
const LOCK = scopedStatement(
  'passkeys.lock',
  `SELECT p.id FROM ${OF_USER} WHERE p.environment_id = $1 AND p.id = $3 FOR NO KEY UPDATE OF p`,
);
/** The passkey is deleted with its credential, by cascade. */
const REMOVE = scopedStatement(
  'passkeys.remove',
  `WITH gone AS (
     DELETE FROM credentials c WHERE c.environment_id = $1 AND c.user_id = $2 AND c.id = $3 AND EXISTS (
       SELECT FROM credentials other WHERE other.environment_id = $1 AND other.user_id = $2 AND other.id <> $3
         AND other.sign_in_enabled AND other.verified_at IS NOT NULL AND other.format = ANY ($4::text[]))
     RETURNING c.public_identifier),
   unclaimed AS (
     DELETE FROM identifier_claims i USING gone
     WHERE i.environment_id = $1 AND i.kind = 'passkey' AND i.identifier = gone.public_identifier AND i.user_id = $2)
   SELECT 1 FROM gone`,
);

/** In id order, so that concurrent callers do not deadlock. */
const LOCK_ALL = scopedStatement(
  'passkeys.lockAll',
  `SELECT p.id FROM ${OF_USER} WHERE p.environment_id = $1 ORDER BY p.id FOR NO KEY UPDATE OF p`,
);
const REMOVE_ALL = scopedStatement(
  'passkeys.removeAll',
  `WITH gone AS (
     DELETE FROM credentials c WHERE c.environment_id = $1 AND c.user_id = $2 AND c.format = 'passkey'
     RETURNING c.public_identifier)
   DELETE FROM identifier_claims i USING gone
   WHERE i.environment_id = $1 AND i.kind = 'passkey' AND i.identifier = gone.public_identifier AND i.user_id = $2`,
);

/** A passkey's attributes beyond those needed to verify a signature. */
export type PasskeyRow = Pick<
  Passkey,
  | 'id'
  | 'credentialId'
  | 'rpId'
  | 'userHandle'
  | 'transports'
  | 'alias'
  | 'userAgent'
  | 'origin'
  | 'createdAt'
  | 'updatedAt'
>;

/** A passkey as needed to verify its signature. */
export type OwnPasskey = StoredPasskey & Pick<Passkey, 'createdAt'>;

export type NewPasskey = Omit<
  Passkey,
  'environmentId' | 'createdAt' | 'updatedAt' | 'lastUsedAt' | 'alias' | 'signCount'
> & { signCount: number };

@Injectable()
export class PasskeysRepository extends ScopedRepository<Passkey> {
  constructor(database: Database) {
    super(database, Passkey);
  }

  /** A user's passkeys, oldest first. */
  listOfUser(environmentId: EnvironmentId, userId: string): Promise<PasskeyRow[]> {
    return this.database.rows<PasskeyRow>(LIST, [environmentId, userId]);
  }

  async findOfUser(environmentId: EnvironmentId, userId: string, credentialId: string): Promise<OwnPasskey | null> {
    return (await this.database.rows<OwnPasskey>(FIND_OWN, [environmentId, userId, credentialId]))[0] ?? null;
  }

  /** Null if the user has no such passkey. Without an alias it keeps its current one. */
  async rename(
    environmentId: EnvironmentId,
    userId: string,
    id: string,
    alias: string | undefined,
  ): Promise<PasskeyRow | null> {
    return (await this.database.rows<PasskeyRow>(RENAME, [environmentId, userId, id, alias ?? null]))[0] ?? null;
  }

  /** Adds a passkey, for a credential to be written in the same transaction. */
  async add(
    environmentId: EnvironmentId,
    userId: string,
    made: NewPasskey,
    tx: Transaction,
  ): Promise<'added' | 'known' | 'full'> {
    tx.send(LOCK_USER, [environmentId, userId]);
    const { id, credentialId, publicKey, userHandle, rpId, signCount, backupEligible, backedUp } = made;
    const [answer] = await tx.rows<{ hasRoom: boolean; isNew: boolean }>(ADD, [
      ...[environmentId, userId, id, credentialId, publicKey, userHandle, rpId, signCount, backupEligible, backedUp],
      ...[made.transports, made.aaguid, made.origin, made.userAgent],
    ]);
    if (!answer!.hasRoom) return 'full';
    return answer!.isNew ? 'added' : 'known';
  }

  /** Records a use. False if the passkey is gone, or another use has already reached this counter. */
  async use(
    environmentId: EnvironmentId,
    id: string,
    { signCount, backedUp }: { signCount: number; backedUp: boolean },
    tx: Transaction,
  ): Promise<boolean> {
    return (await tx.execute(USE, [environmentId, id, signCount, backedUp])) === 1;
  }

  /** Locks the user, then a passkey of theirs: the lock order of a sign-in. False if there is none. */
  async hold(environmentId: EnvironmentId, userId: string, id: string, tx: Transaction): Promise<boolean> {
    tx.send(LOCK_USER, [environmentId, userId]);
    return (await tx.rows(LOCK, [environmentId, userId, id])).length > 0;
  }

  /** Removes a locked passkey. False if no other credential of these formats lets the user sign in. */
  async remove(
    environmentId: EnvironmentId,
    userId: string,
    id: string,
    formats: readonly string[],
    tx: Transaction,
  ): Promise<boolean> {
    return (await tx.rows(REMOVE, [environmentId, userId, id, formats])).length === 1;
  }
  /** Locks the user and removes their passkeys, in the lock order of a sign-in. A new one replaces them. */
  async removeAll(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<void> {
    tx.send(LOCK_USER, [environmentId, userId]);
    tx.send(LOCK_ALL, [environmentId, userId]);
    await tx.execute(REMOVE_ALL, [environmentId, userId]);
  }
}
