import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { asSystem, Database, ScopedRepository, scopedStatement, type Transaction } from '../../database/index.js';
import { DeeplinkUrlEntity } from './deeplink-url.entity.js';

const LOCK = asSystem('takes a lock that is named after the environment and touches no row').statement(
  'deeplinkUrls.lock',
  `SELECT pg_advisory_xact_lock(hashtextextended('deeplinks of ' || $1::text, 0))`,
);

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

const OWNER = asSystem('the path names a deeplink and no environment; only those of the caller count').statement(
  'deeplinkUrls.owner',
  `SELECT e.id AS "environmentId" FROM members m
   JOIN projects p ON p.organization_id = m.organization_id
   JOIN environments e ON e.project_id = p.id
   JOIN deeplink_urls d ON d.environment_id = e.id AND d.id = $1
   WHERE m.user_id = $2`,
);

@Injectable()
export class DeeplinkUrlsRepository extends ScopedRepository<DeeplinkUrlEntity> {
  constructor(database: Database) {
    super(database, DeeplinkUrlEntity);
  }

  async findOwner(id: string, userId: string): Promise<{ environmentId: string } | null> {
    return (await this.database.rows<{ environmentId: string }>(OWNER, [id, userId]))[0] ?? null;
  }

  /** All of the environment, held against other changes until the transaction ends; none is added meanwhile. */
  async lockAll(environmentId: EnvironmentId, tx: Transaction): Promise<DeeplinkUrlEntity[]> {
    await tx.execute(LOCK, [environmentId]);
    return tx.rows<DeeplinkUrlEntity>(LOCK_ALL, [environmentId]);
  }

  /** Null when the environment has the address, or `most` of them. Writers queue, so that none counts too few. */
  async insertWithin(
    most: number,
    environmentId: EnvironmentId,
    { id, url }: Pick<DeeplinkUrlEntity, 'id' | 'url'>,
    tx: Transaction,
  ): Promise<DeeplinkUrlEntity | null> {
    await tx.execute(LOCK, [environmentId]);
    return (await tx.rows<DeeplinkUrlEntity>(INSERT, [environmentId, id, url, most]))[0] ?? null;
  }
}
