import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import type { WebhookMessageDelivery } from './webhook-message.dto.js';
import { WebhookMessageEntity } from './webhook-message.entity.js';

/** Redelivery requests within this time count as one. */
const ONE_WISH_SECONDS = 5;

const OF_MESSAGE = `m.id AS "messageId", m.event_id AS "eventId", m.environment_id AS "environmentId",
  m.webhook_id AS "webhookId", m.created_at AS "messageCreatedAt", e.created_at AS "eventCreatedAt",
  COALESCE(e.dispatched_at, m.created_at) AS "eventReceivedAt"`;

/**
 * The webhook is given as a range and in the sort order: only the index of its own messages has that order. With an
 * equality condition the planner might use the primary key instead, and scan the messages of all other webhooks.
 */
const LIST = scopedStatement(
  'webhookMessages.list',
  `SELECT ${OF_MESSAGE}, m.status, m.attempts AS "deliveryAttempt", COALESCE(d.id, m.id) AS "deliveryId",
     COALESCE(d.delivered_at, CASE m.status WHEN 'pending' THEN m.next_attempt_at END, m.updated_at) AS "deliveredAt",
     COALESCE(d.request, '{}') AS request, COALESCE(d.response, '{}') AS response,
     m.updated_at AS "updatedAt", COALESCE(d.created_at, m.created_at) AS "createdAt"
   FROM webhook_messages m
   JOIN events e ON e.environment_id = m.environment_id AND e.id = m.event_id
   LEFT JOIN webhook_deliveries d
     ON d.environment_id = m.environment_id AND d.message_id = m.id AND d.attempt = m.attempts
   WHERE m.environment_id = $1 AND m.webhook_id >= $2 AND (m.webhook_id, m.id) < ($2, $3)
   ORDER BY m.webhook_id DESC, m.id DESC LIMIT $4`,
);

/** If the delivery that ended the previous page has been removed, the ids decide, which grow with time. */
const LIST_ATTEMPTS = scopedStatement(
  'webhookMessages.listAttempts',
  `SELECT ${OF_MESSAGE}, d.status, d.attempt AS "deliveryAttempt", d.id AS "deliveryId",
     d.delivered_at AS "deliveredAt", d.request, d.response, d.updated_at AS "updatedAt", d.created_at AS "createdAt"
   FROM webhook_messages m
   JOIN events e ON e.environment_id = m.environment_id AND e.id = m.event_id
   JOIN webhook_deliveries d ON d.environment_id = m.environment_id AND d.message_id = m.id
   WHERE m.environment_id = $1 AND m.webhook_id = $2 AND m.id = $3 AND COALESCE(d.attempt <
     (SELECT attempt FROM webhook_deliveries WHERE environment_id = $1 AND id = $4 AND message_id = $3), d.id < $4)
   ORDER BY d.attempt DESC LIMIT $5`,
);

/**
 * The row lock decides which of several requests counts; the others are treated as granted. A message in flight is only
 * marked, and sent again by the worker that records its outcome.
 */
const REDELIVER = scopedStatement(
  'webhookMessages.redeliver',
  `UPDATE webhook_messages m SET redelivered_at = now(),
     status = CASE m.status WHEN 'sending' THEN 'sending' ELSE 'pending' END,
     next_attempt_at = CASE m.status WHEN 'sending' THEN m.next_attempt_at ELSE now() END,
     updated_at = CASE m.status WHEN 'sending' THEN m.updated_at ELSE now() END
   WHERE m.environment_id = $1 AND m.webhook_id = $2 AND m.id = $3
     AND (m.redelivered_at IS NULL OR m.redelivered_at < now() - interval '${ONE_WISH_SECONDS} s')
     AND EXISTS (SELECT FROM webhooks w
       WHERE w.environment_id = m.environment_id AND w.id = m.webhook_id AND w.is_enabled)`,
);

/** A webhook's messages as the API shows them. */
@Injectable()
export class MessagesRepository extends ScopedRepository<WebhookMessageEntity> {
  constructor(database: Database) {
    super(database, WebhookMessageEntity);
  }

  /** The latest attempt of each message, newest message first. */
  listLatest(
    environmentId: EnvironmentId,
    webhookId: string,
    below: string,
    limit: number,
  ): Promise<WebhookMessageDelivery[]> {
    return this.database.rows(LIST, [environmentId, webhookId, below, limit]);
  }

  /** The attempts of one message before the given one, latest first. */
  listAttempts(
    environmentId: EnvironmentId,
    { webhookId, messageId }: { webhookId: string; messageId: string },
    before: string,
    limit: number,
  ): Promise<WebhookMessageDelivery[]> {
    return this.database.rows(LIST_ATTEMPTS, [environmentId, webhookId, messageId, before, limit]);
  }

  /** False if there was nothing to do: it was requested a moment ago. */
  async redeliver(
    environmentId: EnvironmentId,
    webhookId: string,
    messageId: string,
    tx: Transaction,
  ): Promise<boolean> {
    return (await tx.execute(REDELIVER, [environmentId, webhookId, messageId])) > 0;
  }
}
