import { Injectable } from '@nestjs/common';
import { Database, asSystem, scopedStatement, type EnvironmentId, type Executor } from '../../database/index.js';
import { ExpiredRows, ExpiringTables } from '../expiry/expired-rows.js';

const STORE = scopedStatement(
  'nonces.store',
  `INSERT INTO nonces (environment_id, nonce_hash, expires_at)
   VALUES ($1, $2, now() + make_interval(secs => $3))`,
);

/** The row goes with the first call, so that of many at once one gets it. */
const TAKE = scopedStatement(
  'nonces.take',
  'DELETE FROM nonces WHERE environment_id = $1 AND nonce_hash = $2 RETURNING expires_at > now() AS "isLive"',
);

const PURGE = asSystem('expired rows are removed whosever they are').statement(
  'nonces.purge',
  `DELETE FROM nonces WHERE (environment_id, nonce_hash) IN (
     SELECT environment_id, nonce_hash FROM nonces WHERE expires_at < now() ORDER BY expires_at LIMIT $1
   )`,
);

@Injectable()
export class NoncesRepository extends ExpiredRows {
  constructor(
    private readonly database: Database,
    expiring: ExpiringTables,
  ) {
    super();
    expiring.register(this);
  }

  async store(environmentId: EnvironmentId, hash: Buffer, ttlSeconds: number): Promise<void> {
    await this.database.execute(STORE, [environmentId, hash, ttlSeconds]);
  }

  /** True for the one call that takes a live nonce. */
  async take(environmentId: EnvironmentId, hash: Buffer, on: Executor = this.database): Promise<boolean> {
    const [row] = await on.rows<{ isLive: boolean }>(TAKE, [environmentId, hash]);
    return row?.isLive === true;
  }

  override async purge(limit: number): Promise<number> {
    return this.database.execute(PURGE, [limit]);
  }
}
