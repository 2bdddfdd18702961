import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { Database, ScopedRepository, scopedStatement, type Transaction } from '../../database/index.js';
import { DeeplinkUrlEntity } from './deeplink-url.entity.js';

const INSERT = scopedStatement(
  'deeplinkUrls.insert',
  `INSERT INTO deeplink_urls (environment_id, id, url)
   SELECT $1, $2, $3 WHERE (SELECT count(*) FROM deeplink_urls WHERE environment_id = $1) < $4
   ON CONFLICT DO NOTHING
   RETURNING environment_id AS "environmentId", id, url, created_at AS "createdAt"`,
);

const LOCK_ALL = scopedStatement(
  'deeplinkUrls.lockAll',
  `SELECT environment_id AS "environmentId", id, url, created_at AS "createdAt" FROM deeplink_urls
   WHERE environment_id = $1 ORDER BY id FOR NO KEY UPDATE`,
);

@Injectable()
export class DeeplinkUrlsRepository extends ScopedRepository<DeeplinkUrlEntity> {
  constructor(database: Database) {
    super(database, DeeplinkUrlEntity);
  }

  /** All of the environment, held against other changes until the transaction ends; none is added meanwhile. */
  async lockAll(environmentId: EnvironmentId, tx: Transaction): Promise<DeeplinkUrlEntity[]> {
    await this.lockTenant(environmentId, tx);
    return tx.rows<DeeplinkUrlEntity>(LOCK_ALL, [environmentId]);
  }

  /** Null when the environment has the address, or `most` of them. Writers queue, so that none counts too few. */
  async insertWithin(
    most: number,
    environmentId: EnvironmentId,
    { id, url }: Pick<DeeplinkUrlEntity, 'id' | 'url'>,
    tx: Transaction,
  ): Promise<DeeplinkUrlEntity | null> {
    await this.lockTenant(environmentId, tx);
    return (await tx.rows<DeeplinkUrlEntity>(INSERT, [environmentId, id, url, most]))[0] ?? null;
  }
}
