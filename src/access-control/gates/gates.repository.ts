import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import { GateRow } from './gate.entity.js';

export const MAX_GATES = 50;

/** The first to ask for a state sets its time. */
const SWITCH = scopedStatement(
  'gates.switch',
  `UPDATE gates SET enabled_at = CASE WHEN $3::boolean THEN now() END, updated_at = now()
   WHERE environment_id = $1 AND id = $2 AND (enabled_at IS NOT NULL) <> $3`,
);
const RESCOPE = scopedStatement(
  'gates.setScope',
  'UPDATE gates SET scope = $3, updated_at = now() WHERE environment_id = $1 AND id = $2',
);

@Injectable()
export class GatesRepository extends ScopedRepository<GateRow> {
  constructor(database: Database) {
    super(database, GateRow);
  }

  /** In the order in which they were made. */
  listAll(environmentId: EnvironmentId): Promise<GateRow[]> {
    return this.list(environmentId, {}, { orderBy: 'id', limit: MAX_GATES });
  }

  /** Null when the environment has as many as it may have. Creations of one environment queue, so that none slips past. */
  insertWithinLimit(
    environmentId: EnvironmentId,
    gate: Pick<GateRow, 'id' | 'name' | 'outcome' | 'scope' | 'rules'>,
    tx: Transaction,
  ): Promise<GateRow | null> {
    return this.insertIfRoom(MAX_GATES, environmentId, gate, tx, 'throw');
  }

  /** All gates, held against changes until the transaction ends; none is added meanwhile. */
  lockAll(environmentId: EnvironmentId, tx: Transaction): Promise<GateRow[]> {
    return this.lockEvery(environmentId, 'id', tx);
  }

  /** False when it was so already. */
  async switch(environmentId: EnvironmentId, id: string, isEnabled: boolean, tx: Transaction): Promise<boolean> {
    return (await tx.execute(SWITCH, [environmentId, id, isEnabled])) > 0;
  }

  /** Null takes the scope away, which `update` cannot. */
  async rescope(environmentId: EnvironmentId, id: string, scope: string | null, tx: Transaction): Promise<void> {
    await tx.execute(RESCOPE, [environmentId, id, scope]);
  }
}
