import { Injectable } from '@nestjs/common';
import { asSystem, Database } from '../../database/index.js';
import { expandEvents } from './event-expansion.js';

/** Events taken in one statement. */
export const DISPATCH_BATCH = 200;

const DISPATCH = asSystem('events of every environment wait in one line').statement(
  'events.dispatch',
  `WITH taken AS MATERIALIZED (
     SELECT environment_id, id, name, resource_id, user_id, subject_user_id FROM events
     WHERE dispatched_at IS NULL ORDER BY id LIMIT ${DISPATCH_BATCH} FOR UPDATE SKIP LOCKED
   ), messages AS (
     ${expandEvents('taken')}
   ), done AS (
     UPDATE events e SET dispatched_at = now() FROM taken t
     WHERE e.environment_id = t.environment_id AND e.id = t.id RETURNING 1
   )
   SELECT (SELECT count(*) FROM done)::int AS events, (SELECT count(*) FROM messages)::int AS messages`,
);

/** Turns events into messages that instances of an older version have left: today's make them in one statement. */
@Injectable()
export class DispatchRepository {
  constructor(private readonly database: Database) {}

  /** Takes the oldest events that nobody has, and makes one message for each webhook that wants one. */
  async dispatchBatch(): Promise<{ events: number; messages: number }> {
    const [row] = await this.database.rows<{ events: number; messages: number }>(DISPATCH, []);
    return row ?? { events: 0, messages: 0 };
  }
}
