import { Injectable } from '@nestjs/common';
import { Database, scopedRowsStatement } from '../../database/index.js';
import type { AttemptResult } from './attempt-result.js';
import type { ClaimedMessage } from './claimed-message.js';
import { NEXT_IN_ORDER } from './in-order.js';
import { PAUSE_SECONDS, TIMEOUTS_UNTIL_PAUSE } from './pauses.js';
import type { Tally } from './tally.js';

/** A webhook is disabled after nothing but failures for this long … */
const FAILING_HOURS = 120;
/** … and at least this many. */
const FAILED_ATTEMPTS = 12;

/** A redelivery was requested after the message was claimed, so the current attempt does not satisfy it. */
const ASKED_MEANWHILE = 'COALESCE(m.redelivered_at > m.updated_at, false)';

/**
 * One statement for many results. A result counts only under the lease it was made with: if a worker slept past the end
 * of its lease, neither state nor attempt is written. One message may have two results, if this worker took over its
 * own lost lease, so kept results are identified by attempt and not by message.
 */
const RECORDING = `results AS MATERIALIZED (
     SELECT * FROM json_to_recordset($1::json) AS r (environment_id uuid, message_id uuid, lease_token uuid,
       webhook_id uuid, event_id uuid, ordered_by uuid, delivery_id uuid, attempt int, status text,
       attempt_status text, retry_in_ms double precision,
       sent_at timestamptz, request json, response json)
   ), kept AS (
     UPDATE webhook_messages m SET attempts = r.attempt, lease_token = NULL, updated_at = now(),
       status = CASE WHEN ${ASKED_MEANWHILE} THEN 'pending' ELSE r.status END,
       next_attempt_at = CASE WHEN ${ASKED_MEANWHILE} THEN now()
         ELSE now() + r.retry_in_ms * interval '1 millisecond' END
     FROM results r
     WHERE m.environment_id = r.environment_id AND m.id = r.message_id
       AND m.lease_token = r.lease_token AND m.status = 'sending'
     RETURNING r.delivery_id
   ), recorded AS (
     INSERT INTO webhook_deliveries
       (environment_id, id, message_id, attempt, status, request, response, delivered_at)
     SELECT r.environment_id, r.delivery_id, r.message_id, r.attempt, r.attempt_status, r.request, r.response, r.sent_at
     FROM results r JOIN kept k ON k.delivery_id = r.delivery_id
   )`;

const RECORD = scopedRowsStatement(
  'webhookMessages.record',
  `WITH ${RECORDING} SELECT delivery_id AS "deliveryId" FROM kept`,
);

/** The same for batches with messages that others are waiting for. */
const RECORD_IN_ORDER = scopedRowsStatement(
  'webhookMessages.recordInOrder',
  `WITH ${RECORDING}, ${NEXT_IN_ORDER} SELECT delivery_id AS "deliveryId" FROM kept`,
);

/**
 * In id order, so that two instances with outcomes of the same webhooks do not deadlock. An outcome of a URL that the
 * webhook no longer has says nothing about it.
 */
const locked = (condition: string): string => `theirs AS (
     SELECT w.environment_id, w.id, w.url FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS s (environment_id, id, url)
     JOIN webhooks w ON w.environment_id = s.environment_id AND w.id = s.id AND w.url = s.url
     WHERE ${condition} ORDER BY w.id FOR NO KEY UPDATE OF w)`;

const NOTE_SUCCESSES = scopedRowsStatement(
  'webhooks.noteSuccesses',
  `WITH ${locked('w.failed_attempts > 0')}
   UPDATE webhooks w SET failing_since = NULL, failed_attempts = 0, timeouts = 0, paused_until = NULL
   FROM theirs WHERE w.environment_id = theirs.environment_id AND w.id = theirs.id`,
);

/** Any outcome other than a timeout ends a pause. */
const NOTE_FAILURES = scopedRowsStatement(
  'webhooks.noteFailures',
  `WITH ${locked('w.is_enabled')}
   UPDATE webhooks w SET failing_since = COALESCE(w.failing_since, now()),
     failed_attempts = w.failed_attempts + f.failures,
     timeouts = f.timeouts + CASE WHEN f.answered THEN 0 ELSE w.timeouts END,
     paused_until = CASE
       WHEN f.timeouts + CASE WHEN f.answered THEN 0 ELSE w.timeouts END >= ${TIMEOUTS_UNTIL_PAUSE}
         THEN now() + interval '${PAUSE_SECONDS} s'
       WHEN NOT f.answered THEN w.paused_until END
   FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[], $5::int[], $6::boolean[])
     AS f (environment_id, id, url, failures, timeouts, answered)
   JOIN theirs ON theirs.environment_id = f.environment_id AND theirs.id = f.id AND theirs.url = f.url
   WHERE w.environment_id = f.environment_id AND w.id = f.id
   RETURNING w.environment_id AS "environmentId", w.id AS "webhookId", w.url,
     (w.failed_attempts >= ${FAILED_ATTEMPTS} AND w.failing_since <= now() - interval '${FAILING_HOURS} h') AS hopeless`,
);

/** A webhook to be disabled, with the URL that failed. */
export interface FailedTarget {
  environmentId: string;
  webhookId: string;
  url: string;
}

/** Records the outcomes of attempts, and what they mean for the webhooks. */
@Injectable()
export class ResultsRepository {
  constructor(private readonly database: Database) {}

  /** The ids of the recorded attempts. */
  async record(results: readonly AttemptResult[]): Promise<Set<string>> {
    const statement = results.some(({ message }) => message.orderedBy !== null) ? RECORD_IN_ORDER : RECORD;
    const rows = await this.database.rows<{ deliveryId: string }>(statement, [JSON.stringify(results.map(recordOf))]);
    return new Set(rows.map(({ deliveryId }) => deliveryId));
  }

  async noteSuccesses(messages: readonly ClaimedMessage[]): Promise<void> {
    const column = (name: 'environmentId' | 'webhookId' | 'url') => messages.map((message) => message[name]);
    await this.database.execute(NOTE_SUCCESSES, [column('environmentId'), column('webhookId'), column('url')]);
  }

  /** @returns the webhooks that have failed for too long */
  async noteFailures(tallies: readonly Tally[]): Promise<FailedTarget[]> {
    const column = <K extends keyof Tally>(name: K): Tally[K][] => tallies.map((tally) => tally[name]);
    const values = [column('environmentId'), column('webhookId'), column('url'), column('failures')];
    const rows = await this.database.rows<FailedTarget & { hopeless: boolean }>(NOTE_FAILURES, [
      ...values,
      column('timeouts'),
      column('answered'),
    ]);
    return rows.filter(({ hopeless }) => hopeless);
  }
}

const recordOf = ({ message, deliveryId, sentAt, outcome, retryInMs, request, response }: AttemptResult): object => ({
  environment_id: message.environmentId,
  message_id: message.messageId,
  // Only ordered messages are looked up again.
  ...(message.orderedBy !== null && {
    webhook_id: message.webhookId,
    event_id: message.eventId,
    ordered_by: message.orderedBy,
  }),
  lease_token: message.leaseToken,
  delivery_id: deliveryId,
  attempt: message.attempt,
  status: outcome === 'delivered' ? 'delivered' : retryInMs === null ? 'failed' : 'pending',
  attempt_status: outcome === 'delivered' ? 'delivered' : 'failed',
  retry_in_ms: retryInMs,
  sent_at: sentAt,
  request,
  response,
});
