import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId, type Executor } from '../../database/index.js';

const STORE = scopedStatement(
  'nonces.store',
  `INSERT INTO nonces (environment_id, nonce_hash, expires_at)
   SELECT $1, hash, now() + make_interval(secs => $3) FROM unnest($2::bytea[]) AS hash`,
);

/** The first call deletes the row, so that of concurrent calls one gets it. */
const TAKE = scopedStatement(
  'nonces.take',
  'DELETE FROM nonces WHERE environment_id = $1 AND nonce_hash = $2 RETURNING expires_at > now() AS "isLive"',
);

const IS_LIVE = scopedStatement(
  'nonces.checkLive',
  'SELECT 1 FROM nonces WHERE environment_id = $1 AND nonce_hash = $2 AND expires_at > now()',
);

@Injectable()
export class NoncesRepository {
  constructor(private readonly database: Database) {}

  async store(environmentId: EnvironmentId, hashes: readonly Buffer[], ttlSeconds: number): Promise<void> {
    await this.database.execute(STORE, [environmentId, hashes, ttlSeconds]);
  }

  /** True for the one call that takes a live nonce. */
  async take(environmentId: EnvironmentId, hash: Buffer, on: Executor = this.database): Promise<boolean> {
    const [row] = await on.rows<{ isLive: boolean }>(TAKE, [environmentId, hash]);
    return row?.isLive === true;
  }

  /** Whether `take` would currently return true. */
  async isLive(environmentId: EnvironmentId, hash: Buffer, on: Executor): Promise<boolean> {
    return (await on.rows(IS_LIVE, [environmentId, hash])).length === 1;
  }
}
