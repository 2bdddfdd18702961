import { Injectable } from '@nestjs/common';
import { asSystem, Database, scopedRowsStatement, type Statement } from '../../database/index.js';
import type { Cutoff } from './retention.js';

/** Rows per statement: few enough not to disturb other work. */
export const BATCH = 500;
/** Environments per statement, each of which costs an index lookup at the oldest end. */
const ENVIRONMENTS = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

const LIST_ENVIRONMENTS = asSystem('rows grow old in every environment, which are gone through in pages').statement(
  'environments.listAfter',
  `SELECT id FROM environments WHERE id > $1 ORDER BY id LIMIT ${ENVIRONMENTS}`,
);

/**
 * The ids bound the scan from the oldest end of the key; the times decide. Locked rows are skipped: the next run finds
 * them, and nobody waits.
 */
function removal(kind: string, table: string, condition: string): Statement {
  return scopedRowsStatement(
    `retention.remove${kind}`,
    `DELETE FROM ${table} WHERE (environment_id, id) IN (
       SELECT old.environment_id, old.id FROM unnest($1::uuid[]) AS n (environment_id) CROSS JOIN LATERAL (
         SELECT o.environment_id, o.id FROM ${table} o
         WHERE o.environment_id = n.environment_id AND o.id < $2 AND o.created_at < $3 AND ${condition}
         ORDER BY o.id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) old
       LIMIT ${BATCH})`,
  );
}

const REMOVALS = {
  deliveries: removal('Deliveries', 'webhook_deliveries', 'true'),
  /** Only those with no attempt pending. */
  messages: removal(
    'Messages',
    'webhook_messages',
    "o.status IN ('delivered', 'failed') AND o.next_attempt_at IS NULL",
  ),
  replays: removal('Replays', 'webhook_replays', 'o.ended_at IS NOT NULL'),
  events: removal(
    'Events',
    'events',
    `o.dispatched_at IS NOT NULL AND NOT EXISTS (
       SELECT FROM webhook_messages m WHERE m.environment_id = o.environment_id AND m.event_id = o.id)`,
  ),
};

export type Aged = keyof typeof REMOVALS;

/** Removes expired rows. */
@Injectable()
export class RetentionRepository {
  constructor(private readonly database: Database) {}

  /** Environments after `after`, by id; empty when there are no more. */
  async listEnvironments(after: string = FIRST): Promise<string[]> {
    return (await this.database.rows<{ id: string }>(LIST_ENVIRONMENTS, [after])).map(({ id }) => id);
  }

  /** @returns rows removed, at most {@link BATCH} */
  remove(kind: Aged, environmentIds: readonly string[], { before, beforeId }: Cutoff): Promise<number> {
    return this.database.execute(REMOVALS[kind], [environmentIds, beforeId, before]);
  }
}
