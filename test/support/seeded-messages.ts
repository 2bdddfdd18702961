import type { TestApp } from './app.js';
import { rowsOf } from './rows.js';
import type { World } from './world.js';

/** A UUIDv7 from a time and a number, so that rows written by one statement are in order. */
const idAt = (millis: string, number: string): string =>
  `(lpad(to_hex((${millis})::bigint), 12, '0') || '7' || lpad(to_hex((${number})::int & 4095), 3, '0')
    || '8' || substr(md5(random()::text || (${number})::text), 1, 15))::uuid`;

interface Seed {
  count: number;
  /** Name of the events. */
  name?: string;
  /** Status of the messages; without it, the events have none. */
  status?: 'delivered' | 'failed';
  webhookId?: string;
  /** Age of the first event in seconds; every hundred further ones are a second newer. */
  ageSeconds?: number;
  /** Adds an attempt to each message, with a body of this size. */
  deliveryBytes?: number;
}

/** Inserts events dispatched in the past, with their messages and deliveries as the worker would have left them. */
export async function seedMessages(test: TestApp, world: World, seed: Seed): Promise<void> {
  const { count, name = 'user.created', status = null, webhookId = null, ageSeconds = 600, deliveryBytes } = seed;
  const at = `(extract(epoch FROM now()) - $5 + n / 100) * 1000`;
  await rowsOf(
    test,
    `WITH numbers AS MATERIALIZED (
       SELECT n, ${idAt(at, 'n')} AS event_id, ${idAt(at, 'n')} AS message_id, ${idAt(at, 'n')} AS delivery_id,
         to_timestamp((${at}) / 1000) AS at
       FROM generate_series(0, $2::int - 1) n
     ), events AS (
       INSERT INTO events (environment_id, id, name, data, created_at, dispatched_at)
       SELECT $1, event_id, $3, jsonb_build_object('n', n), at, at FROM numbers
     ), messages AS (
       INSERT INTO webhook_messages (environment_id, id, webhook_id, event_id, status, attempts, created_at, updated_at)
       SELECT $1, message_id, $6, event_id, $4, 1, at, at FROM numbers WHERE $4::text IS NOT NULL
     )
     INSERT INTO webhook_deliveries
       (environment_id, id, message_id, attempt, status, request, response, delivered_at, created_at)
     SELECT $1, delivery_id, message_id, 1, $4, json_build_object('headers', json_build_object(), 'body', repeat('x', $7)),
       '{}', at, at FROM numbers WHERE $7::int IS NOT NULL`,
    [world.environmentId, count, name, status, ageSeconds, webhookId, deliveryBytes ?? null],
  );
}
