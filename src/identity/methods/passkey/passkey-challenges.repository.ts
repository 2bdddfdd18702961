import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId } from '../../../database/index.js';
import type { PasskeyChallenge, PasskeyPurpose } from './passkey-challenge.entity.js';

const STORE = scopedStatement(
  'passkeyChallenges.store',
  `INSERT INTO passkey_challenges (environment_id, challenge_hash, purpose, user_id, rp_id, user_handle, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))`,
);

const TAKEN = `purpose, user_id AS "userId", rp_id AS "rpId", user_handle AS "userHandle", expires_at > now() AS "isLive"`;

/** The first call deletes the row, so that of concurrent calls one gets it. */
const TAKE = scopedStatement(
  'passkeyChallenges.take',
  `DELETE FROM passkey_challenges WHERE environment_id = $1 AND challenge_hash = $2 RETURNING ${TAKEN}`,
);

const TAKE_WITH_PASSKEY = scopedStatement(
  'passkeyChallenges.takeWithPasskey',
  `WITH taken AS (
     DELETE FROM passkey_challenges WHERE environment_id = $1 AND challenge_hash = $2 RETURNING ${TAKEN})
   SELECT taken.*, p.id, c.user_id AS "ownerId", p.rp_id AS "ownRpId", p.public_key AS "publicKey",
     p.user_handle AS "ownHandle", p.sign_count::float8 AS "signCount", p.backup_eligible AS "backupEligible"
   FROM taken LEFT JOIN (
     passkeys p JOIN credentials c ON c.environment_id = p.environment_id AND c.id = p.id AND c.sign_in_enabled)
     ON p.environment_id = $1 AND p.credential_id = $3`,
);

/** A challenge that was taken; nobody else can get it. */
export interface TakenChallenge {
  purpose: PasskeyPurpose;
  userId: string | null;
  rpId: string;
  userHandle: Buffer | null;
  isLive: boolean;
}

/** The parts of a passkey needed to verify a signature. */
export interface StoredPasskey {
  id: string;
  ownerId: string;
  rpId: string;
  publicKey: Buffer;
  userHandle: Buffer;
  signCount: number;
  backupEligible: boolean;
}

type Joined = TakenChallenge & { id: string | null; ownRpId: string; ownHandle: Buffer } & Omit<
    StoredPasskey,
    'id' | 'rpId' | 'userHandle'
  >;

/** The purpose of a new challenge, and who may answer it. */
export type NewChallenge = Pick<PasskeyChallenge, 'purpose' | 'rpId'> &
  Partial<Pick<PasskeyChallenge, 'userId' | 'userHandle'>>;

@Injectable()
export class PasskeyChallengesRepository {
  constructor(private readonly database: Database) {}

  async store(
    environmentId: EnvironmentId,
    hash: Buffer,
    { purpose, rpId, userId = null, userHandle = null }: NewChallenge,
    ttlSeconds: number,
  ): Promise<void> {
    await this.database.execute(STORE, [environmentId, hash, purpose, userId, rpId, userHandle, ttlSeconds]);
  }

  /** Null if there is no such challenge, or it was already taken. */
  async take(environmentId: EnvironmentId, hash: Buffer): Promise<TakenChallenge | null> {
    return (await this.database.rows<TakenChallenge>(TAKE, [environmentId, hash]))[0] ?? null;
  }

  /** The same with the passkey claimed to answer it; null if there is no such passkey. */
  async takeWithPasskey(
    environmentId: EnvironmentId,
    hash: Buffer,
    credentialId: string,
  ): Promise<{ challenge: TakenChallenge; passkey: StoredPasskey | null } | null> {
    const [row] = await this.database.rows<Joined>(TAKE_WITH_PASSKEY, [environmentId, hash, credentialId]);
    if (!row) return null;
    const { id, ownerId, ownRpId, ownHandle, publicKey, signCount, backupEligible, ...challenge } = row;
    const known = { ownerId, rpId: ownRpId, userHandle: ownHandle, publicKey, signCount, backupEligible };
    return { challenge, passkey: id === null ? null : { ...known, id } };
  }
}
