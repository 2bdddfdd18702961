import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId } from '../../database/index.js';

const USE = scopedStatement(
  'usedElevations.add',
  `INSERT INTO used_elevations (environment_id, token_id, expires_at)
   VALUES ($1, $2, now() + make_interval(secs => $3)) ON CONFLICT DO NOTHING`,
);

@Injectable()
export class UsedElevationsRepository {
  constructor(private readonly database: Database) {}

  /** True for the one call that uses the token. */
  async use(environmentId: EnvironmentId, tokenId: string, ttlSeconds: number): Promise<boolean> {
    return (await this.database.execute(USE, [environmentId, tokenId, ttlSeconds])) === 1;
  }
}
