/** How many due messages of one webhook a claim inspects, to find those whose turn it is. */
const LOOKED_AT = 100;
/** How long a message waits that could be next at any moment. Recording its predecessor releases it at once. */
const NEXT_WAITS = '1 second';
/** Minimum wait for a message with several before it. */
const LATER_WAITS = '5 minutes';

/** A message that waits for others and not for its next try. */
const waits = (message: string): string =>
  `(${message}.attempts = 0 OR ${message}.redelivered_at = ${message}.updated_at) AND ${message}.next_attempt_at > now()`;

/**
 * The part of the claim for webhooks that want messages about one user in order.
 *
 * A message is held back while an earlier one of its user is not done, that is, still has a next attempt. Held messages
 * are deferred, out of the way of others, until their predecessor is due again; recording one as done makes the next
 * one due at once. So a missed wake-up costs a second, and never the order.
 *
 * Earlier means the smaller event id. An event from an instance of an older version may not have become a message yet:
 * the statement sees either the undispatched event, or both the dispatch and the message.
 */
export const IN_ORDER = `queued AS MATERIALIZED (
     SELECT d.*, open.room FROM open CROSS JOIN LATERAL (
       SELECT environment_id, id, webhook_id, event_id, ordered_by, next_attempt_at FROM webhook_messages m
       WHERE m.webhook_id = open.webhook_id AND m.next_attempt_at <= now()
       ORDER BY m.next_attempt_at LIMIT ${LOOKED_AT} FOR UPDATE SKIP LOCKED) d
     WHERE open.in_order AND (NOT open.probing OR open.webhook_id IN (SELECT id FROM probed))
   ), judged AS MATERIALIZED (
     SELECT q.*,
       (SELECT CASE count(*) WHEN 0 THEN NULL
          WHEN 1 THEN CASE WHEN bool_or(status = 'pending' AND next_attempt_at > now())
            THEN max(next_attempt_at) + interval '1 ms' ELSE now() + interval '${NEXT_WAITS}' END
          ELSE GREATEST(max(next_attempt_at), now() + interval '${LATER_WAITS}') END
        FROM (SELECT p.status, p.next_attempt_at FROM webhook_messages p
          WHERE p.webhook_id = q.webhook_id AND p.ordered_by = q.ordered_by AND p.event_id < q.event_id
            AND p.next_attempt_at IS NOT NULL
          ORDER BY p.event_id LIMIT 2) before) AS waits_until,
       q.ordered_by IS NOT NULL AND EXISTS (SELECT FROM events e
         WHERE e.dispatched_at IS NULL AND e.id < q.event_id AND e.environment_id = q.environment_id) AS held
     FROM queued q
   ), deferred AS (
     UPDATE webhook_messages m SET next_attempt_at = j.waits_until FROM judged j
     WHERE j.waits_until IS NOT NULL AND m.environment_id = j.environment_id AND m.id = j.id
     RETURNING 1
   ), turns AS MATERIALIZED (
     SELECT environment_id, id, true AS is_enabled, room FROM (
       SELECT j.*, row_number() OVER (PARTITION BY webhook_id ORDER BY next_attempt_at) AS place
       FROM judged j WHERE j.waits_until IS NULL AND NOT j.held) placed
     WHERE place <= room LIMIT GREATEST(0, $1 - (SELECT count(*) FROM due))
   )`.trim();

/**
 * The part of recording that releases a user's next message once this one is delivered or out of attempts. A message
 * already tried keeps its schedule, unless a redelivery was requested and nothing has happened to it since.
 */
export const NEXT_IN_ORDER = `next AS (
     UPDATE webhook_messages n SET next_attempt_at = now()
     FROM results r JOIN kept k ON k.delivery_id = r.delivery_id
     WHERE r.ordered_by IS NOT NULL AND r.retry_in_ms IS NULL AND n.environment_id = r.environment_id
       AND n.id = (SELECT f.id FROM webhook_messages f
         WHERE f.webhook_id = r.webhook_id AND f.ordered_by = r.ordered_by AND f.event_id <> r.event_id
           AND f.next_attempt_at IS NOT NULL
         ORDER BY f.event_id LIMIT 1)
       AND n.status = 'pending' AND ${waits('n')}
   )`;

/**
 * The part of the claim that makes further messages of a user due once one has failed because its webhook is disabled:
 * no attempt will be recorded that releases them. Those that another statement holds are left to it.
 */
export const REST_OF_FAILED = `rest AS (
     UPDATE webhook_messages n SET next_attempt_at = now()
     FROM (SELECT DISTINCT webhook_id, ordered_by FROM claimed WHERE status = 'failed' AND ordered_by IS NOT NULL) f
     CROSS JOIN LATERAL (
       SELECT m.environment_id, m.id FROM webhook_messages m
       WHERE m.webhook_id = f.webhook_id AND m.ordered_by = f.ordered_by AND m.next_attempt_at IS NOT NULL
         AND m.status = 'pending' AND ${waits('m')}
       ORDER BY m.event_id LIMIT ${LOOKED_AT} FOR UPDATE SKIP LOCKED) waiting
     WHERE n.environment_id = waiting.environment_id AND n.id = waiting.id
   )`;
