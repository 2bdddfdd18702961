import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import { generatedStatement, type Statement } from '../statement.js';
import { expansionOf, type EventListeners } from './event-listeners.js';
import { Outbox } from './outbox.js';

/** Events per statement. */
export const LEFT_BATCH = 200;

const dispatchTo = (listeners: EventListeners): Statement =>
  generatedStatement(
    'events.dispatch',
    `WITH taken AS MATERIALIZED (
       SELECT environment_id, id, name, resource_id, user_id, subject_user_id FROM events
       WHERE dispatched_at IS NULL ORDER BY id LIMIT ${LEFT_BATCH} FOR UPDATE SKIP LOCKED
     ), messages AS (
       ${expansionOf(listeners, 'taken')}
     ), done AS (
       UPDATE events e SET dispatched_at = now() FROM taken t
       WHERE e.environment_id = t.environment_id AND e.id = t.id RETURNING 1
     )
     SELECT (SELECT count(*) FROM done)::int AS events, (SELECT count(*) FROM messages)::int AS messages`,
    'crossing',
  );

/** Expands events left by instances of an older version into messages; the current version does so in one statement. */
@Injectable()
export class LeftEventsRepository {
  private statement: Statement | null = null;

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Takes the oldest unlocked events of all environments, and creates a message for each subscribed listener. */
  async dispatchBatch(): Promise<{ events: number; messages: number }> {
    const { listeners } = this.outbox;
    if (!listeners) return { events: 0, messages: 0 };
    this.statement ??= dispatchTo(listeners);
    const [row] = await this.database.rows<{ events: number; messages: number }>(this.statement, []);
    return row ?? { events: 0, messages: 0 };
  }
}
