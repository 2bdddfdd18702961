import { Injectable } from '@nestjs/common';
import { asSystem, Database, scopedStatement, type EnvironmentId } from '../../database/index.js';
import { ExpiredRows, ExpiringTables } from '../expiry/expired-rows.js';

const USE = scopedStatement(
  'used-elevations.use',
  `INSERT INTO used_elevations (environment_id, token_id, expires_at)
   VALUES ($1, $2, now() + make_interval(secs => $3)) ON CONFLICT DO NOTHING`,
);

/** Kept for an hour after the expiry: the clocks of the database and of an instance may differ. */
const PURGE = asSystem('expired rows are removed whosever they are').statement(
  'used-elevations.purge',
  `DELETE FROM used_elevations WHERE (environment_id, token_id) IN (
     SELECT environment_id, token_id FROM used_elevations
     WHERE expires_at < now() - interval '1 hour' ORDER BY expires_at LIMIT $1)`,
);

@Injectable()
export class UsedElevationsRepository extends ExpiredRows {
  constructor(
    private readonly database: Database,
    expiring: ExpiringTables,
  ) {
    super();
    expiring.register(this);
  }

  /** True for the one call that uses the token. */
  async use(environmentId: EnvironmentId, tokenId: string, ttlSeconds: number): Promise<boolean> {
    return (await this.database.execute(USE, [environmentId, tokenId, ttlSeconds])) === 1;
  }

  override purge(limit: number): Promise<number> {
    return this.database.execute(PURGE, [limit]);
  }
}
