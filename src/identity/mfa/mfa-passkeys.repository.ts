import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import type { StoredPasskey } from '../methods/passkey/passkey-challenges.repository.js';
import { MAX_DEVICES } from './mfa-limits.js';
import { MfaPasskey } from './mfa-passkey.entity.js';

const OF_USER = `mfa_passkeys p JOIN mfa_devices d ON d.environment_id = p.environment_id AND d.id = p.id
   AND d.environment_id = $1 AND d.user_id = $2 AND d.verified_at IS NOT NULL`;

const LIST = scopedStatement(
  'mfaPasskeys.listOfUser',
  `SELECT p.id, p.credential_id AS "credentialId", p.rp_id AS "rpId", p.origin, p.user_agent AS "userAgent",
     d.verified_at AS "createdAt"
   FROM ${OF_USER} WHERE p.environment_id = $1 ORDER BY p.id LIMIT ${MAX_DEVICES}`,
);
const FIND = scopedStatement(
  'mfaPasskeys.findOfUser',
  `SELECT p.id, d.user_id AS "ownerId", p.rp_id AS "rpId", p.public_key AS "publicKey", p.user_handle AS "userHandle",
     p.sign_count::float8 AS "signCount", p.backup_eligible AS "backupEligible", d.verified_at AS "verifiedAt"
   FROM ${OF_USER} WHERE p.environment_id = $1 AND p.credential_id = $3`,
);
const ADD = scopedStatement(
  'mfaPasskeys.add',
  `INSERT INTO mfa_passkeys (environment_id, id, credential_id, public_key, user_handle, rp_id, sign_count,
     backup_eligible, origin, user_agent)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
);
/** If the authenticator has a counter, it must have increased, or this is a copy (WebAuthn §6.1.1). */
const USE = scopedStatement(
  'mfaPasskeys.recordUse',
  `UPDATE mfa_passkeys SET sign_count = $3, last_used_at = now()
   WHERE environment_id = $1 AND id = $2 AND (sign_count < $3 OR (sign_count = 0 AND $3 = 0))`,
);

export type ShownPasskey = Pick<MfaPasskey, 'id' | 'credentialId' | 'rpId' | 'origin' | 'userAgent' | 'createdAt'>;

/** A passkey as needed to verify its signature. */
export interface KnownPasskey extends StoredPasskey {
  verifiedAt: Date;
}

export type NewFactorPasskey = Omit<MfaPasskey, 'environmentId' | 'createdAt' | 'lastUsedAt' | 'signCount'> & {
  signCount: number;
};

@Injectable()
export class MfaPasskeysRepository extends ScopedRepository<MfaPasskey> {
  constructor(database: Database) {
    super(database, MfaPasskey);
  }

  /** The passkeys of verified devices. */
  listOfUser(environmentId: EnvironmentId, userId: string): Promise<ShownPasskey[]> {
    return this.database.rows<ShownPasskey>(LIST, [environmentId, userId]);
  }

  async findOfUser(environmentId: EnvironmentId, userId: string, credentialId: string): Promise<KnownPasskey | null> {
    return (await this.database.rows<KnownPasskey>(FIND, [environmentId, userId, credentialId]))[0] ?? null;
  }

  /** False if a device already has the passkey. */
  async add(environmentId: EnvironmentId, made: NewFactorPasskey, tx: Transaction): Promise<boolean> {
    const { id, credentialId, publicKey, userHandle, rpId, signCount, backupEligible, origin, userAgent } = made;
    const values = [credentialId, publicKey, userHandle, rpId, signCount, backupEligible, origin, userAgent];
    return (await tx.execute(ADD, [environmentId, id, ...values])) === 1;
  }

  /** False if another use has already reached this counter. */
  async use(environmentId: EnvironmentId, id: string, signCount: number, tx: Transaction): Promise<boolean> {
    return (await tx.execute(USE, [environmentId, id, signCount])) === 1;
  }
}
