import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import { ExchangeRow } from './exchange.entity.js';
import { EXCHANGES, type ExchangeKey } from './exchange.dto.js';

const SWITCH = scopedStatement(
  'exchanges.switch',
  `UPDATE exchanges SET enabled_at = CASE WHEN $3 THEN coalesce(enabled_at, now()) END, updated_at = now()
   WHERE environment_id = $1 AND id = $2`,
);

@Injectable()
export class ExchangesRepository extends ScopedRepository<ExchangeRow> {
  constructor(database: Database) {
    super(database, ExchangeRow);
  }

  listAll(environmentId: EnvironmentId): Promise<ExchangeRow[]> {
    return this.list(environmentId, {}, { orderBy: 'id', limit: EXCHANGES.values.length });
  }

  /** Null unless it is enabled. */
  async findEnabled(environmentId: EnvironmentId, exchange: ExchangeKey): Promise<ExchangeRow | null> {
    const row = await this.find(environmentId, { exchange });
    return row?.enabledAt ? row : null;
  }

  async switch(environmentId: EnvironmentId, id: string, enabled: boolean, tx: Transaction): Promise<void> {
    await tx.execute(SWITCH, [environmentId, id, enabled]);
  }
}
