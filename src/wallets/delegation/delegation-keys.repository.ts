import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Executor,
  type Transaction,
} from '../../database/index.js';
import type { DelegatedAccessEncryptionPublicKey } from './delegation-key.dto.js';
import { DelegationKeyRow } from './delegation-key.entity.js';

export const MOST_KEYS = 100;
/** How long clients that have read the previous key keep using it. */
export const TAKEOVER_SECONDS = 60;

const SHOWN = `id, environment_id AS "projectEnvironmentId", kid, alg, type,
  translate(encode(convert_to(public_key, 'UTF8'), 'base64'), E'\\n', '') AS "publicKeyPemB64",
  CASE WHEN revoked_at <= now() THEN 'revoked' WHEN active_at > now() THEN 'pending' ELSE 'active' END AS status,
  CASE WHEN revoked_at > now() THEN revoked_at END AS "expiresAt",
  CASE WHEN revoked_at <= now() THEN revoked_at END AS "revokedAt", created_at AS "createdAt", updated_at AS "updatedAt"`;

const LIST = scopedStatement(
  'delegationKeys.list',
  `SELECT ${SHOWN} FROM delegation_keys WHERE environment_id = $1 ORDER BY id DESC LIMIT ${MOST_KEYS}`,
);

const FIND = scopedStatement(
  'delegationKeys.find',
  `SELECT ${SHOWN} FROM delegation_keys WHERE environment_id = $1 AND id = $2`,
);

const ACTIVE = scopedStatement(
  'delegationKeys.findActive',
  `SELECT ${SHOWN} FROM delegation_keys
   WHERE environment_id = $1 AND active_at <= now() AND (revoked_at IS NULL OR revoked_at > now())`,
);

// The previous key ends at the moment this one begins, so that exactly one key is active at any time.
const REPLACE = scopedStatement(
  'delegationKeys.replace',
  `WITH before AS (
     UPDATE delegation_keys SET revoked_at = now() + make_interval(secs => ${TAKEOVER_SECONDS}), updated_at = now()
     WHERE environment_id = $1 AND revoked_at IS NULL RETURNING revoked_at)
   INSERT INTO delegation_keys (environment_id, id, kid, alg, type, public_key, active_at)
   SELECT $1, $2, $3, $4, $5, $6, coalesce((SELECT max(revoked_at) FROM before), now())
   ON CONFLICT DO NOTHING`,
);

export type NewDelegationKey = Pick<DelegationKeyRow, 'id' | 'kid' | 'alg' | 'type' | 'publicKey'>;

@Injectable()
export class DelegationKeysRepository extends ScopedRepository<DelegationKeyRow> {
  constructor(database: Database) {
    super(database, DelegationKeyRow);
  }

  /** Newest first. */
  listShown(environmentId: EnvironmentId, on: Executor = this.database): Promise<DelegatedAccessEncryptionPublicKey[]> {
    return on.rows<DelegatedAccessEncryptionPublicKey>(LIST, [environmentId]);
  }

  async findShown(
    environmentId: EnvironmentId,
    id: string,
    on: Executor = this.database,
  ): Promise<DelegatedAccessEncryptionPublicKey | null> {
    return (await on.rows<DelegatedAccessEncryptionPublicKey>(FIND, [environmentId, id]))[0] ?? null;
  }

  async findActive(environmentId: EnvironmentId): Promise<DelegatedAccessEncryptionPublicKey | null> {
    return (await this.database.rows<DelegatedAccessEncryptionPublicKey>(ACTIVE, [environmentId]))[0] ?? null;
  }

  /** Serialises the adding of keys. */
  hold(environmentId: EnvironmentId, tx: Transaction): Promise<void> {
    return this.lockTenant(environmentId, tx);
  }

  /** Takes over from the active key. False when the environment has registered this key before. */
  async replace(environmentId: EnvironmentId, key: NewDelegationKey, tx: Transaction): Promise<boolean> {
    const { id, kid, alg, type, publicKey } = key;
    return (await tx.execute(REPLACE, [environmentId, id, kid, alg, type, publicKey])) === 1;
  }
}
