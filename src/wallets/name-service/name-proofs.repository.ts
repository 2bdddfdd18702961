import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId } from '../../database/index.js';
import type { NameProofRow } from './name-service.entity.js';

const TTL = "interval '10 minutes'";
const KEEP = scopedStatement(
  'nameServiceProofs.store',
  `INSERT INTO name_service_proofs (environment_id, chain, domain, address, message, expires_at)
   VALUES ($1, $2, $3, $4, $5, now() + ${TTL})
   ON CONFLICT (environment_id, chain) DO UPDATE
   SET domain = excluded.domain, address = excluded.address, message = excluded.message, expires_at = excluded.expires_at`,
);
const TAKE = scopedStatement(
  'nameServiceProofs.take',
  `DELETE FROM name_service_proofs WHERE environment_id = $1 AND chain = $2 AND domain = $3 AND address = $4
   RETURNING CASE WHEN expires_at > now() THEN message END AS message`,
);

type About = Pick<NameProofRow, 'chain' | 'domain' | 'address'>;

@Injectable()
export class NameProofsRepository {
  constructor(private readonly database: Database) {}

  /** Replaces the previous message. */
  async keep(environmentId: EnvironmentId, { chain, domain, address }: About, message: string): Promise<void> {
    await this.database.execute(KEEP, [environmentId, chain, domain, address, message]);
  }

  /** Returns the message to be signed and deletes it. Null when there is none or it has expired. */
  async take(environmentId: EnvironmentId, { chain, domain, address }: About): Promise<string | null> {
    const rows = await this.database.rows<{ message: string | null }>(TAKE, [environmentId, chain, domain, address]);
    return rows[0]?.message ?? null;
  }
}
