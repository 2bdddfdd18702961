import {
  ScopedRepository,
  scopedStatement,
  type Database,
  type EnvironmentId,
  type Statement,
  type Transaction,
} from '../../database/index.js';
import type { SwitchedRow } from './global-wallet.entity.js';

/** A row for each environment that has one, which is on or off. */
export abstract class SwitchedRepository<Row extends SwitchedRow> extends ScopedRepository<Row> {
  protected constructor(
    database: Database,
    row: new () => Row,
    private readonly switching: Statement,
  ) {
    super(database, row);
  }

  /** Held until the transaction ends, or kept from being made meanwhile. */
  async hold(environmentId: EnvironmentId, tx: Transaction): Promise<Row | null> {
    await this.lockTenant(environmentId, tx);
    return this.lock(environmentId, {}, tx);
  }

  /** False when it was so already. */
  async switch(environmentId: EnvironmentId, isEnabled: boolean, tx: Transaction): Promise<boolean> {
    return (await tx.execute(this.switching, [environmentId, isEnabled])) > 0;
  }
}

/** Switches the row of `table`; named as the statements of its repository are. */
export const switching = (name: string, table: string): Statement =>
  scopedStatement(
    name,
    `UPDATE ${table} SET enabled_at = CASE WHEN $2::boolean THEN now() END, updated_at = now()
     WHERE environment_id = $1 AND (enabled_at IS NOT NULL) <> $2`,
  );
