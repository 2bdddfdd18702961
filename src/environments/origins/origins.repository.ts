import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { asSystem, Database, ScopedRepository, scopedStatement, type Transaction } from '../../database/index.js';
import { OriginEntity } from './origin.entity.js';

const PATTERNS = asSystem('a browser asks before anybody has been authorised, and learns yes or no').statement(
  'origins.patterns',
  'SELECT origin FROM origins WHERE environment_id = $1',
);

const LOCK = asSystem('takes a lock that is named after the environment and touches no row').statement(
  'origins.lock',
  `SELECT pg_advisory_xact_lock(hashtextextended('origins of ' || $1::text, 0))`,
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

const OWNER = asSystem('the path names an origin and no environment; only those of the caller count').statement(
  'origins.owner',
  `SELECT e.id AS "environmentId" FROM members m
   JOIN projects p ON p.organization_id = m.organization_id
   JOIN environments e ON e.project_id = p.id
   JOIN origins o ON o.environment_id = e.id AND o.id = $1
   WHERE m.user_id = $2`,
);

@Injectable()
export class OriginsRepository extends ScopedRepository<OriginEntity> {
  constructor(database: Database) {
    super(database, OriginEntity);
  }

  async listPatterns(environmentId: string): Promise<string[]> {
    return (await this.database.rows<{ origin: string }>(PATTERNS, [environmentId])).map(({ origin }) => origin);
  }

  async findOwner(id: string, userId: string): Promise<{ environmentId: string } | null> {
    return (await this.database.rows<{ environmentId: string }>(OWNER, [id, userId]))[0] ?? null;
  }

  /** All origins of the environment, held against other changes until the transaction ends; none is added meanwhile. */
  async lockAll(environmentId: EnvironmentId, tx: Transaction): Promise<OriginEntity[]> {
    await tx.execute(LOCK, [environmentId]);
    return tx.rows<OriginEntity>(LOCK_ALL, [environmentId]);
  }

  /** Null when the environment has the origin, or `most` of them. Writers queue, so that none counts too few. */
  async insertWithin(
    most: number,
    environmentId: EnvironmentId,
    { id, origin }: Pick<OriginEntity, 'id' | 'origin'>,
    tx: Transaction,
  ): Promise<OriginEntity | null> {
    await tx.execute(LOCK, [environmentId]);
    return (await tx.rows<OriginEntity>(INSERT, [environmentId, id, origin, most]))[0] ?? null;
  }
}
