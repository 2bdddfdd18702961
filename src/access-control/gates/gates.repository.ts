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

/** Only an actual change of state updates the time. */
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

  /** In order of creation. */
  listAll(environmentId: EnvironmentId): Promise<GateRow[]> {
    return this.list(environmentId, {}, { orderBy: 'id', limit: MAX_GATES });
  }

  /** Null when the limit is reached. Creations in an environment are serialised, so that none exceeds it. */
  insertWithinLimit(
    environmentId: EnvironmentId,
    gate: Pick<GateRow, 'id' | 'name' | 'outcome' | 'scope' | 'rules'>,
    tx: Transaction,
  ): Promise<GateRow | null> {
    return this.insertIfRoom(MAX_GATES, environmentId, gate, tx, 'throw');
  }

  /** All gates, locked until the transaction ends; none can be added meanwhile. */
  lockAll(environmentId: EnvironmentId, tx: Transaction): Promise<GateRow[]> {
    return this.lockEvery(environmentId, 'id', tx);
  }

  /** False when it already had that state. */
  async switch(environmentId: EnvironmentId, id: string, isEnabled: boolean, tx: Transaction): Promise<boolean> {
    return (await tx.execute(SWITCH, [environmentId, id, isEnabled])) > 0;
  }

  /** Null removes the scope, which `update` cannot do. */
  async rescope(environmentId: EnvironmentId, id: string, scope: string | null, tx: Transaction): Promise<void> {
    await tx.execute(RESCOPE, [environmentId, id, scope]);
  }
}
