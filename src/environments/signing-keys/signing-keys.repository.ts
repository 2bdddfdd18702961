import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { Database, ScopedRepository, scopedStatement, type Transaction } from '../../database/index.js';
import { SigningKey, type SigningKeyStatus } from './signing-key.entity.js';

/** A key whose signatures may still be in use. */
export interface PublishedKey {
  id: string;
  status: SigningKeyStatus;
  publicKey: string;
  /** Only for the current key. */
  sealedPrivateKey: Buffer | null;
}

/** A replaced key verifies for the maximum token lifetime (30 days), plus five minutes for clock skew. */
const RETENTION = "interval '30 days 5 minutes'";
/** How long a key is published before it signs, so that verifiers with a cached set know it by then. */
const ANNOUNCEMENT = "interval '24 hours'";

const PUBLISHED = scopedStatement(
  'signingKeys.listPublished',
  `SELECT id, status, public_key AS "publicKey",
     CASE WHEN status = 'current' THEN sealed_private_key END AS "sealedPrivateKey"
   FROM signing_keys
   WHERE environment_id = $1 AND (status <> 'previous' OR retired_at > now() - ${RETENTION})
   ORDER BY created_at DESC, id DESC`,
);
const LOCK_LIVE = scopedStatement(
  'signingKeys.lockLive',
  `SELECT id, status, status = 'next' AND created_at <= now() - ${ANNOUNCEMENT} AS "isDue",
     created_at + ${ANNOUNCEMENT} AS "usableAt"
   FROM signing_keys WHERE environment_id = $1 AND status <> 'previous' ORDER BY id FOR UPDATE`,
);
const RETIRE = scopedStatement(
  'signingKeys.retire',
  "UPDATE signing_keys SET status = 'previous', retired_at = now() WHERE environment_id = $1 AND status = 'current'",
);
const PROMOTE = scopedStatement(
  'signingKeys.promote',
  "UPDATE signing_keys SET status = 'current' WHERE environment_id = $1 AND status = 'next'",
);
const REVOKE = scopedStatement(
  'signingKeys.revoke',
  'DELETE FROM signing_keys WHERE environment_id = $1 RETURNING id, now() AS "usableAt"',
);
const FORGET = scopedStatement(
  'signingKeys.forget',
  `DELETE FROM signing_keys
   WHERE environment_id = $1 AND status = 'previous' AND retired_at <= now() - ${RETENTION}`,
);

export interface LiveKey {
  id: string;
  status: 'current' | 'next';
  /** Whether the next key has been published for long enough. */
  isDue: boolean;
  /** When a key published at that time may begin to sign. */
  usableAt: Date;
}

@Injectable()
export class SigningKeysRepository extends ScopedRepository<SigningKey> {
  constructor(database: Database) {
    super(database, SigningKey);
  }

  /** Newest first. */
  listPublished(environmentId: EnvironmentId): Promise<PublishedKey[]> {
    return this.database.rows<PublishedKey>(PUBLISHED, [environmentId]);
  }

  /** The current and the next key, locked until the transaction ends, which serialises rotations of an environment. */
  lockLive(environmentId: EnvironmentId, tx: Transaction): Promise<LiveKey[]> {
    return tx.rows<LiveKey>(LOCK_LIVE, [environmentId]);
  }

  /** The next key becomes current; the current one stops signing. */
  async promoteNext(environmentId: EnvironmentId, tx: Transaction): Promise<void> {
    await tx.execute(RETIRE, [environmentId]);
    await tx.execute(PROMOTE, [environmentId]);
  }

  /** Deletes all keys, so that their signatures are no longer accepted. */
  revokeAll(environmentId: EnvironmentId, tx: Transaction): Promise<{ id: string; usableAt: Date }[]> {
    return tx.rows(REVOKE, [environmentId]);
  }

  /** Deletes keys, including private keys, whose signatures have all expired. */
  async forgetExpired(environmentId: EnvironmentId, tx: Transaction): Promise<void> {
    await tx.execute(FORGET, [environmentId]);
  }
}
