import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  tenantStatement,
  type EnvironmentId,
  type Executor,
  type Transaction,
} from '../database/index.js';
import { EnvironmentImportRow } from './environment-import.entity.js';

// Compares the progress: of two concurrent imports, one transaction is rolled back.
const ADVANCE = scopedStatement(
  'environmentImports.step',
  `UPDATE environment_imports SET done = done + 1
   WHERE environment_id = $1 AND digest = $2 AND done = $3 AND finished_at IS NULL`,
);
const FINISH = scopedStatement(
  'environmentImports.finish',
  `UPDATE environment_imports SET finished_at = now()
   WHERE environment_id = $1 AND digest = $2 AND done = $3 AND finished_at IS NULL`,
);
/** Until the import is complete, the deletion date is at the end of time: invisible, but never old enough to purge. */
const FIND_HIDDEN = tenantStatement(
  'environmentImports.findHidden',
  `SELECT id FROM environments WHERE id = $1 AND deleted_at = 'infinity'`,
);
const REVEAL = tenantStatement(
  'environmentImports.release',
  `UPDATE environments SET deleted_at = NULL WHERE id = $1 AND deleted_at = 'infinity'`,
);
const DISCARD = tenantStatement(
  'environmentImports.withdraw',
  `UPDATE environments SET deleted_at = now() WHERE id = $1 AND deleted_at = 'infinity'`,
);

@Injectable()
export class EnvironmentImportsRepository extends ScopedRepository<EnvironmentImportRow> {
  constructor(database: Database) {
    super(database, EnvironmentImportRow);
  }

  /** False if the import's progress is not what the caller expects. */
  async advance(environmentId: EnvironmentId, digest: string, done: number, tx: Transaction): Promise<boolean> {
    return (await tx.execute(ADVANCE, [environmentId, digest, done])) === 1;
  }

  /** Makes the environment available. */
  async finish(environmentId: EnvironmentId, digest: string, done: number, tx: Transaction): Promise<boolean> {
    if ((await tx.execute(REVEAL, [environmentId])) !== 1) return false;
    return (await tx.execute(FINISH, [environmentId, digest, done])) === 1;
  }

  /** Whether the environment is hidden because its import is incomplete. */
  async isHidden(environmentId: EnvironmentId, on: Executor = this.database): Promise<boolean> {
    return (await on.rows(FIND_HIDDEN, [environmentId])).length === 1;
  }

  /** The written rows are removed in the background. False if the environment is not being imported. */
  async discard(environmentId: EnvironmentId): Promise<boolean> {
    return (await this.database.execute(DISCARD, [environmentId])) === 1;
  }
}
