import {
  ScopedRepository,
  scopedStatement,
  type Database,
  type EnvironmentId,
  type Statement,
  type Transaction,
} from '../../database/index.js';
import type { SwitchedRow } from './global-wallet.entity.js';

/** One row per environment at most, which can be enabled or disabled. */
export abstract class SwitchedRepository<Row extends SwitchedRow> extends ScopedRepository<Row> {
  protected constructor(
    database: Database,
    row: new () => Row,
    private readonly switching: Statement,
  ) {
    super(database, row);
  }

  /** Locked until the end of the transaction, or kept from being created meanwhile. */
  async hold(environmentId: EnvironmentId, tx: Transaction): Promise<Row | null> {
    await this.lockTenant(environmentId, tx);
    return this.lock(environmentId, {}, tx);
  }

  /** False when it was in this state already. */
  async switch(environmentId: EnvironmentId, isEnabled: boolean, tx: Transaction): Promise<boolean> {
    return (await tx.execute(this.switching, [environmentId, isEnabled])) > 0;
  }
}

/** Switches the row of `table`; named like the other statements of its repository. */
export const switching = (name: string, table: string): Statement =>
  scopedStatement(
    name,
    `UPDATE ${table} SET enabled_at = CASE WHEN $2::boolean THEN now() END, updated_at = now()
     WHERE environment_id = $1 AND (enabled_at IS NOT NULL) <> $2`,
  );
