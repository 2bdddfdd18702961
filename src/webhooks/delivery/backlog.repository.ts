import { Injectable } from '@nestjs/common';
import { asSystem, Database } from '../../database/index.js';
import { gauge, Metrics, type Metric, type MetricSource } from '../../observability/index.js';

/** Maximum rows to read: counting a backlog must not make it worse. */
const MOST = 10_000;

const BACKLOG = asSystem('a backlog is that of every environment').statement(
  'webhookMessages.measureBacklog',
  `WITH events AS (
     SELECT created_at FROM events WHERE dispatched_at IS NULL ORDER BY id LIMIT ${MOST}
   ), messages AS (
     SELECT next_attempt_at FROM webhook_messages WHERE next_attempt_at IS NOT NULL LIMIT ${MOST}
   )
   SELECT (SELECT count(*) FROM events)::int AS events,
     COALESCE(extract(epoch FROM now() - (SELECT min(created_at) FROM events)), 0)::float8 AS "oldestEvent",
     count(*)::int AS messages, count(*) FILTER (WHERE next_attempt_at <= now())::int AS due,
     GREATEST(COALESCE(extract(epoch FROM now() - min(next_attempt_at)), 0), 0)::float8 AS "oldestDue"
   FROM messages`,
);

interface Backlog {
  events: number;
  oldestEvent: number;
  messages: number;
  due: number;
  oldestDue: number;
}

/** Pending deliveries, across all instances. */
@Injectable()
export class BacklogRepository implements MetricSource {
  constructor(
    private readonly database: Database,
    metrics: Metrics,
  ) {
    if (metrics.isOn) metrics.add(this);
  }

  async metrics(): Promise<Metric[]> {
    const [row] = await this.database.rows<Backlog>(BACKLOG, []);
    if (!row) return [];
    const { events, oldestEvent, messages, due, oldestDue } = row;
    return [
      gauge('gatehouse_events_waiting', `Events that are not messages yet; at most ${MOST} are counted.`, events),
      gauge('gatehouse_events_waiting_seconds', 'Age of the oldest event that has no messages yet.', oldestEvent),
      gauge('gatehouse_messages_scheduled', `Messages with an attempt to come; at most ${MOST} are counted.`, messages),
      gauge('gatehouse_messages_due', 'Of those, messages whose attempt is due or whose lease has ended.', due),
      gauge('gatehouse_messages_due_seconds', 'How long the one due for longest has been.', oldestDue),
    ];
  }
}
