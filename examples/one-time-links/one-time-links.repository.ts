import { Injectable } from '@nestjs/common';
import { asSystem, Database, scopedStatement, type EnvironmentId, type Transaction } from '../../src/database/index.js';
import { ExpiredRows, ExpiringTables } from '../../src/identity/index.js';

const INSERT = scopedStatement(
  'one-time-links.insert',
  `INSERT INTO one_time_links (environment_id, id, secret_hash, person, expires_at)
   VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5)) RETURNING expires_at AS "expiresAt"`,
);
const FIND = scopedStatement(
  'one-time-links.find',
  'SELECT person FROM one_time_links WHERE environment_id = $1 AND secret_hash = $2 AND expires_at > now()',
);
/** The row goes with the first call, so that of many at once one gets it. */
const USE = scopedStatement(
  'one-time-links.use',
  'DELETE FROM one_time_links WHERE environment_id = $1 AND secret_hash = $2 AND expires_at > now()',
);
const PURGE = asSystem('expired rows are removed whosever they are').statement(
  'one-time-links.purge',
  `DELETE FROM one_time_links WHERE (environment_id, id) IN (
     SELECT environment_id, id FROM one_time_links WHERE expires_at < now() ORDER BY expires_at LIMIT $1)`,
);

@Injectable()
export class OneTimeLinksRepository extends ExpiredRows {
  constructor(
    private readonly database: Database,
    expiring: ExpiringTables,
  ) {
    super();
    expiring.register(this);
  }

  async insert(
    environmentId: EnvironmentId,
    link: { id: string; secretHash: Buffer; person: string; ttlSeconds: number },
  ): Promise<Date> {
    const values = [environmentId, link.id, link.secretHash, link.person, link.ttlSeconds];
    return (await this.database.rows<{ expiresAt: Date }>(INSERT, values))[0]!.expiresAt;
  }

  async findPerson(environmentId: EnvironmentId, secretHash: Buffer): Promise<string | null> {
    return (await this.database.rows<{ person: string }>(FIND, [environmentId, secretHash]))[0]?.person ?? null;
  }

  /** True for one caller alone. */
  async use(environmentId: EnvironmentId, secretHash: Buffer, tx: Transaction): Promise<boolean> {
    return (await tx.execute(USE, [environmentId, secretHash])) === 1;
  }

  override purge(limit: number): Promise<number> {
    return this.database.execute(PURGE, [limit]);
  }
}
