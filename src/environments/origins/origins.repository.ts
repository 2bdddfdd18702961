import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { asSystem, Database, ScopedRepository, scopedStatement, type Transaction } from '../../database/index.js';
import { OriginEntity } from './origin.entity.js';

const PATTERNS = asSystem('a browser asks before anybody has been authorised, and learns yes or no').statement(
  'origins.listPatterns',
  'SELECT origin FROM origins WHERE environment_id = $1 ORDER BY id',
);

const INSERT = scopedStatement(
  'origins.insert',
  `INSERT INTO origins (environment_id, id, origin)
   SELECT $1, $2, $3 WHERE (SELECT count(*) FROM origins WHERE environment_id = $1) < $4
   ON CONFLICT DO NOTHING
   RETURNING environment_id AS "environmentId", id, origin, created_at AS "createdAt"`,
);

const LOCK_ALL = scopedStatement(
  'origins.lockAll',
  `SELECT environment_id AS "environmentId", id, origin, created_at AS "createdAt" FROM origins
   WHERE environment_id = $1 ORDER BY id FOR NO KEY UPDATE`,
);

@Injectable()
export class OriginsRepository extends ScopedRepository<OriginEntity> {
  constructor(database: Database) {
    super(database, OriginEntity);
  }

  async listPatterns(environmentId: string): Promise<string[]> {
    return (await this.database.rows<{ origin: string }>(PATTERNS, [environmentId])).map(({ origin }) => origin);
  }

  /** All origins of the environment, held against other changes until the transaction ends; none is added meanwhile. */
  async lockAll(environmentId: EnvironmentId, tx: Transaction): Promise<OriginEntity[]> {
    await this.lockTenant(environmentId, tx);
    return tx.rows<OriginEntity>(LOCK_ALL, [environmentId]);
  }

  /** Null when the environment has the origin, or `most` of them. Writers queue, so that none counts too few. */
  async insertWithin(
    most: number,
    environmentId: EnvironmentId,
    { id, origin }: Pick<OriginEntity, 'id' | 'origin'>,
    tx: Transaction,
  ): Promise<OriginEntity | null> {
    await this.lockTenant(environmentId, tx);
    return (await tx.rows<OriginEntity>(INSERT, [environmentId, id, origin, most]))[0] ?? null;
  }
}
