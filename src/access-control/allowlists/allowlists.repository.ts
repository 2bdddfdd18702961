import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import { AllowlistRow } from './allowlist.entity.js';

export const MAX_ALLOWLISTS = 50;
const MAX_ENTRIES = 1_000_000;

const SWITCH = scopedStatement(
  'allowlists.switch',
  `UPDATE allowlists SET enabled_at = CASE WHEN $3::boolean THEN now() END, updated_at = now()
   WHERE environment_id = $1 AND id = $2 AND (enabled_at IS NOT NULL) <> $3`,
);
/** A single statement checks the limit and updates the count. */
const COUNT = scopedStatement(
  'allowlists.count',
  `UPDATE allowlists SET entry_count = entry_count + $3
   WHERE environment_id = $1 AND id = $2 AND entry_count + $3 <= ${MAX_ENTRIES}`,
);
const RESCOPE = scopedStatement(
  'allowlists.setScope',
  'UPDATE allowlists SET scope = $3, updated_at = now() WHERE environment_id = $1 AND id = $2',
);

@Injectable()
export class AllowlistsRepository extends ScopedRepository<AllowlistRow> {
  constructor(database: Database) {
    super(database, AllowlistRow);
  }

  /** In order of creation. */
  listAll(environmentId: EnvironmentId): Promise<AllowlistRow[]> {
    return this.list(environmentId, {}, { orderBy: 'id', limit: MAX_ALLOWLISTS });
  }

  /** Null when the limit is reached. Creations in an environment are serialised, so that none exceeds it. */
  insertWithinLimit(
    environmentId: EnvironmentId,
    list: Pick<AllowlistRow, 'id' | 'name' | 'outcome' | 'scope'>,
    tx: Transaction,
  ): Promise<AllowlistRow | null> {
    return this.insertIfRoom(MAX_ALLOWLISTS, environmentId, list, tx, 'throw');
  }

  /** All lists, locked until the transaction ends; none can be added meanwhile. */
  lockAll(environmentId: EnvironmentId, tx: Transaction): Promise<AllowlistRow[]> {
    return this.lockEvery(environmentId, 'id', tx);
  }

  /**
   * Locks the list before its entries are added or removed. A deletion takes the same lock first, so the two cannot
   * deadlock.
   */
  hold(environmentId: EnvironmentId, id: string, tx: Transaction): Promise<AllowlistRow | null> {
    return this.lock(environmentId, { id }, tx);
  }

  /** False when it already had that state. */
  async switch(environmentId: EnvironmentId, id: string, isEnabled: boolean, tx: Transaction): Promise<boolean> {
    return (await tx.execute(SWITCH, [environmentId, id, isEnabled])) > 0;
  }

  /** Null removes the scope, which `update` cannot do. */
  async rescope(environmentId: EnvironmentId, id: string, scope: string | null, tx: Transaction): Promise<void> {
    await tx.execute(RESCOPE, [environmentId, id, scope]);
  }

  /** False when the list does not exist, or would exceed its entry limit. */
  async count(environmentId: EnvironmentId, id: string, more: number, tx: Transaction): Promise<boolean> {
    return (await tx.execute(COUNT, [environmentId, id, more])) > 0;
  }
}
