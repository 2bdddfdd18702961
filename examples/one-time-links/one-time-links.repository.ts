import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId, type Transaction } from '../../src/database/index.js';

const INSERT = scopedStatement(
  'oneTimeLinks.insert',
  `INSERT INTO one_time_links (environment_id, id, secret_hash, person, expires_at)
   VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5)) RETURNING expires_at AS "expiresAt"`,
);
const FIND = scopedStatement(
  'oneTimeLinks.find',
  'SELECT person FROM one_time_links WHERE environment_id = $1 AND secret_hash = $2 AND expires_at > now()',
);
/** The first call deletes the row, so that only one of several concurrent calls succeeds. */
const USE = scopedStatement(
  'oneTimeLinks.consume',
  'DELETE FROM one_time_links WHERE environment_id = $1 AND secret_hash = $2 AND expires_at > now()',
);

@Injectable()
export class OneTimeLinksRepository {
  constructor(private readonly database: Database) {}

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

  /** True for one caller only. */
  async use(environmentId: EnvironmentId, secretHash: Buffer, tx: Transaction): Promise<boolean> {
    return (await tx.execute(USE, [environmentId, secretHash])) === 1;
  }
}
