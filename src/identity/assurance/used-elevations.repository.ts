import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId } from '../../database/index.js';

const USE = scopedStatement(
  'usedElevations.add',
  `INSERT INTO used_elevations (environment_id, token_id, expires_at)
   VALUES ($1, $2, now() + make_interval(secs => $3)) ON CONFLICT DO NOTHING`,
);

const FIND = scopedStatement(
  'usedElevations.find',
  'SELECT token_id FROM used_elevations WHERE environment_id = $1 AND token_id = $2',
);

@Injectable()
export class UsedElevationsRepository {
  constructor(private readonly database: Database) {}

  /** True for the one call that uses the token. */
  async use(environmentId: EnvironmentId, tokenId: string, ttlSeconds: number): Promise<boolean> {
    return (await this.database.execute(USE, [environmentId, tokenId, ttlSeconds])) === 1;
  }

  async isUsed(environmentId: EnvironmentId, tokenId: string): Promise<boolean> {
    return (await this.database.rows(FIND, [environmentId, tokenId])).length > 0;
  }
}
