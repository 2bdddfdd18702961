import { Injectable } from '@nestjs/common';
import { asSystem, Database } from '../../database/index.js';

/** Events taken in one statement. */
export const DISPATCH_BATCH = 200;

/**
 * A message id as SQL makes it: UUIDv7 (RFC 9562 section 5.7), the time and then what is random of a version 4 UUID,
 * variant bits included.
 */
const NEW_ID = `(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
  || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid`;

/**
 * A ping goes to the webhook it is about and to no other. The key lock keeps a webhook from being removed under its
 * new messages. The unique index on the event and the webhook is the second line of defence against a second message.
 */
const DISPATCH = asSystem('events of every environment wait in one line').statement(
  'webhooks.dispatch',
  `WITH taken AS MATERIALIZED (
     SELECT environment_id, id, name, resource_id FROM events
     WHERE dispatched_at IS NULL ORDER BY id LIMIT ${DISPATCH_BATCH} FOR UPDATE SKIP LOCKED
   ), wanted AS MATERIALIZED (
     SELECT t.environment_id, t.id AS event_id, w.id AS webhook_id
     FROM taken t JOIN webhooks w ON w.environment_id = t.environment_id AND w.is_enabled
       AND CASE t.name WHEN 'ping' THEN w.id = t.resource_id ELSE t.name = ANY (w.events) END
     FOR KEY SHARE OF w
   ), messages AS (
     INSERT INTO webhook_messages (environment_id, id, webhook_id, event_id, next_attempt_at)
     SELECT environment_id, ${NEW_ID}, webhook_id, event_id, now() FROM wanted
     ON CONFLICT DO NOTHING RETURNING 1
   ), done AS (
     UPDATE events e SET dispatched_at = now() FROM taken t
     WHERE e.environment_id = t.environment_id AND e.id = t.id RETURNING 1
   )
   SELECT (SELECT count(*) FROM done)::int AS events, (SELECT count(*) FROM messages)::int AS messages`,
);

/** Turns events into messages. */
@Injectable()
export class DispatchRepository {
  constructor(private readonly database: Database) {}

  /** Takes the oldest events that nobody has, and makes one message for each webhook that wants one. */
  async dispatchBatch(): Promise<{ events: number; messages: number }> {
    const [row] = await this.database.rows<{ events: number; messages: number }>(DISPATCH, []);
    return row ?? { events: 0, messages: 0 };
  }
}
