import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { asSystem, Database, scopedRowsStatement } from '../../database/index.js';
import type { ClaimedMessage } from './claimed-message.js';
import type { Room } from './delivery-lanes.js';
import { LANE_WIDTH, TENANT_WINDOW } from './lane.js';
import { IN_ORDER, REST_OF_FAILED } from './in-order.js';
import { PAUSE_SECONDS } from './pauses.js';

/** A worker that holds a message renews its lease in time; one that does not is presumed dead. */
const LEASE_SECONDS = 12;
/** How many messages of one disabled webhook a claim fails at once. */
const ENDED_AT_ONCE = 50;

/**
 * Claims due messages under a lease. The walk goes from webhook to webhook along `webhook_messages_due`, so its cost
 * grows with the number of webhooks that have scheduled messages, never with the backlog of one of them. Each webhook
 * gives what its lane has room for, limited to its fair share. Messages of a disabled webhook fail instead.
 *
 * A paused webhook gives nothing until the pause ends, and then one message: the worker that extends the pause takes
 * it, decided by the webhook's row lock. The message's outcome ends the pause or leaves it. Rows are locked in id order,
 * as where outcomes are noted: pauses that began together end together, and claims would wait for each other.
 *
 * If a database crash loses a claim, the message is claimed again, so the commit need not wait for the disk.
 */
const CLAIM = asSystem('a worker sends messages of every environment').statement(
  'webhookMessages.claim',
  `WITH RECURSIVE lanes AS (
     (SELECT environment_id, webhook_id, next_attempt_at FROM webhook_messages
      WHERE next_attempt_at IS NOT NULL ORDER BY webhook_id, next_attempt_at LIMIT 1)
     UNION ALL
     SELECT following.* FROM lanes CROSS JOIN LATERAL (
       SELECT environment_id, webhook_id, next_attempt_at FROM webhook_messages
       WHERE next_attempt_at IS NOT NULL AND webhook_id > lanes.webhook_id
       ORDER BY webhook_id, next_attempt_at LIMIT 1) following
   ), open AS MATERIALIZED (
     SELECT l.environment_id, l.webhook_id, w.is_enabled, w.is_enabled AND w.paused_until IS NOT NULL AS probing,
       w.is_enabled AND w.ordering = 'user' AS in_order,
       CASE WHEN NOT w.is_enabled THEN ${ENDED_AT_ONCE} WHEN w.paused_until IS NOT NULL THEN 1 ELSE
         LEAST(COALESCE(busy.room, ${LANE_WIDTH}), GREATEST(${LANE_WIDTH}, $1::int / count(*) OVER ()),
           GREATEST(1, COALESCE(tenant.room, ${TENANT_WINDOW}) / count(*) OVER (PARTITION BY l.environment_id))) END AS room
     FROM lanes l
     JOIN webhooks w ON w.environment_id = l.environment_id AND w.id = l.webhook_id
     LEFT JOIN unnest($2::uuid[], $3::int[]) AS busy (webhook_id, room) ON busy.webhook_id = l.webhook_id
     LEFT JOIN unnest($5::uuid[], $6::int[]) AS tenant (environment_id, room)
       ON tenant.environment_id = l.environment_id
     WHERE l.next_attempt_at <= now() AND (NOT w.is_enabled OR (
       COALESCE(busy.room, 1) > 0 AND COALESCE(tenant.room, 1) > 0
       AND (w.paused_until IS NULL OR w.paused_until <= now())))
     ORDER BY random()
   ), ended AS (
     SELECT w.environment_id, w.id FROM open
     JOIN webhooks w ON w.environment_id = open.environment_id AND w.id = open.webhook_id
     WHERE open.probing AND w.paused_until <= now() ORDER BY w.id FOR NO KEY UPDATE OF w
   ), probed AS (
     UPDATE webhooks w SET paused_until = now() + interval '${PAUSE_SECONDS} s' FROM ended
     WHERE w.environment_id = ended.environment_id AND w.id = ended.id
     RETURNING w.id
   ), due AS MATERIALIZED (
     SELECT d.environment_id, d.id, open.is_enabled, open.room FROM open CROSS JOIN LATERAL (
       SELECT environment_id, id FROM webhook_messages m
       WHERE m.webhook_id = open.webhook_id AND m.next_attempt_at <= now()
       ORDER BY m.next_attempt_at LIMIT open.room FOR UPDATE SKIP LOCKED) d
     WHERE NOT open.in_order AND (NOT open.probing OR open.webhook_id IN (SELECT id FROM probed))
     LIMIT $1
   ), ${IN_ORDER}, claimed AS (
     UPDATE webhook_messages m SET
       status = CASE WHEN d.is_enabled THEN 'sending' ELSE 'failed' END,
       lease_token = CASE WHEN d.is_enabled THEN $4::uuid END,
       next_attempt_at = CASE WHEN d.is_enabled THEN now() + interval '${LEASE_SECONDS} s' END,
       updated_at = now()
     FROM (TABLE due UNION ALL TABLE turns) d WHERE m.environment_id = d.environment_id AND m.id = d.id
     RETURNING m.environment_id, m.id, m.webhook_id, m.event_id, m.attempts, m.redelivered_at, m.status, m.ordered_by,
       d.room
   ), ${REST_OF_FAILED}
   SELECT c.environment_id AS "environmentId", n.kind, c.id AS "messageId", c.webhook_id AS "webhookId", w.url,
     w.version, w.sealed_secret AS "sealedSecret", w.sealed_signing_key AS "sealedSigningKey",
     CASE WHEN w.previous_secret_until > now() THEN w.sealed_previous_secret END AS "sealedPreviousSecret",
     CASE WHEN w.previous_secret_until > now() THEN w.sealed_previous_signing_key END AS "sealedPreviousSigningKey",
     w.sealed_headers AS "sealedHeaders", w.failed_attempts > 0 AS failing, c.attempts + 1 AS attempt,
     c.redelivered_at IS NOT NULL AS redelivery, $4 AS "leaseToken",
     now() AS "claimedAt", e.id AS "eventId", e.name AS "eventName",
     e.created_at AS "eventCreatedAt", e.user_id AS "userId", e.external_user_id AS "externalUserId", e.actor,
     e.data::text AS "eventData", e.request_id AS "requestId", e.trace_parent AS "traceParent",
     c.status = 'sending' AS claimed, c.ordered_by AS "orderedBy", c.room,
     waiting.deferred, waiting.held, set_config('synchronous_commit', 'off', true)
   FROM (SELECT (SELECT count(*)::int FROM deferred) AS deferred,
     (SELECT count(*)::int FROM judged WHERE held) AS held) waiting
   LEFT JOIN (claimed c
     JOIN webhooks w ON w.environment_id = c.environment_id AND w.id = c.webhook_id
     JOIN events e ON e.environment_id = c.environment_id AND e.id = c.event_id
     JOIN environments n ON n.id = c.environment_id) ON true`,
);

const HAND_BACK = scopedRowsStatement(
  'webhookMessages.handBack',
  `UPDATE webhook_messages m SET status = 'pending', lease_token = NULL,
     next_attempt_at = now() + $4 * interval '1 millisecond', updated_at = now()
   FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS held (environment_id, id, lease_token)
   WHERE m.environment_id = held.environment_id AND m.id = held.id
     AND m.lease_token = held.lease_token AND m.status = 'sending'`,
);

/** Only with the token of the claim: a message that another worker has taken over stays theirs. */
const RENEW = scopedRowsStatement(
  'webhookMessages.renew',
  `UPDATE webhook_messages m SET next_attempt_at = now() + interval '${LEASE_SECONDS} s'
   FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS held (environment_id, id, lease_token)
   WHERE m.environment_id = held.environment_id AND m.id = held.id
     AND m.lease_token = held.lease_token AND m.status = 'sending'`,
);

/** Null if nothing was claimed: the only row then just carries the counts. */
type ClaimedRow = ClaimedMessage & { claimed: boolean | null; room: number; deferred: number; held: number };

interface Claim {
  messages: ClaimedMessage[];
  /** The maximum that was taken for each of these webhooks. */
  granted: Map<string, number>;
  /** Messages moved out of the way so that others become visible: of disabled webhooks, or not yet their turn. */
  passedOver: number;
  /** Messages whose turn is decided once an earlier event is dispatched, which takes a moment. */
  held: number;
}

/** Decides in the database, for all workers, who sends what. */
@Injectable()
export class ClaimsRepository {
  constructor(private readonly database: Database) {}

  async claim(room: Room): Promise<Claim> {
    const { limit, webhookIds, rooms, environmentIds, environmentRooms } = room;
    const values = [limit, webhookIds, rooms, randomUUID(), environmentIds, environmentRooms];
    const rows = await this.database.rows<ClaimedRow>(CLAIM, values);
    const claimedTick = performance.now();
    const messages = rows.filter(({ claimed }) => claimed).map((row) => Object.assign(row, { claimedTick }));
    const granted = new Map(messages.map(({ webhookId, room: most }) => [webhookId, most]));
    const passedOver = rows.filter(({ claimed }) => claimed === false).length + (rows[0]?.deferred ?? 0);
    return { messages, granted, passedOver, held: rows[0]?.held ?? 0 };
  }

  /** Extends the leases of messages that are still held. */
  async renew(messages: readonly ClaimedMessage[]): Promise<void> {
    if (messages.length > 0) await this.database.execute(RENEW, keysOf(messages));
  }

  /** Ends the leases of unsent messages: they are due again after `delayMs`. */
  async handBack(messages: readonly ClaimedMessage[], delayMs = 0): Promise<void> {
    if (messages.length === 0) return;
    await this.database.execute(HAND_BACK, [...keysOf(messages), delayMs]);
  }
}

const keysOf = (messages: readonly ClaimedMessage[]): string[][] => [
  messages.map(({ environmentId }) => environmentId),
  messages.map(({ messageId }) => messageId),
  messages.map(({ leaseToken }) => leaseToken),
];
