import { Injectable } from '@nestjs/common';
import {
  asSystem,
  Database,
  NEW_ROW_ID,
  orderingSubject,
  scopedStatement,
  type EnvironmentId,
  type Statement,
  type Transaction,
} from '../../database/index.js';
import { LISTENING_WEBHOOKS } from '../delivery/listening-webhooks.js';
import type { ReplaySelection, ReplayState } from './webhook-replay.dto.js';
import type { WebhookReplayEntity } from './webhook-replay.entity.js';

/** Ids per step. */
const STEP = 1000;
/** A count writes only its own row, so it may cover more. */
const COUNT_STEP = 10_000;
/** A replay waits while its webhook has this many due messages, so that new events do not queue behind all of it. */
const BACKLOG = 2000;

const ROW = `r.environment_id AS "environmentId", r.id, r.webhook_id AS "webhookId", r.selection, r.since, r.until,
  r.asked_until AS "askedUntil", r.state, r.from_id AS "fromId", r.end_id AS "endId", r.position, r.total, r.done,
  r.ended_at AS "endedAt", r.created_at AS "createdAt", r.updated_at AS "updatedAt"`;

/** The replay, locked by one instance for one step. Others that find it locked skip it. */
const HELD = (state: ReplayState, condition = ''): string => `replay AS MATERIALIZED (
    SELECT r.*, w.events FROM webhook_replays r
    JOIN webhooks w ON w.environment_id = r.environment_id AND w.id = r.webhook_id AND w.is_enabled
    WHERE r.environment_id = $1 AND r.id = $2 AND r.state = '${state}' ${condition}
    FOR UPDATE OF r SKIP LOCKED FOR KEY SHARE OF w SKIP LOCKED
  )`;

const ROOM = `AND (SELECT count(*) FROM (
    SELECT FROM webhook_messages d
    WHERE d.webhook_id = r.webhook_id AND d.environment_id = r.environment_id AND d.next_attempt_at <= now()
    LIMIT ${BACKLOG}) due) < ${BACKLOG}`;

const IN_RANGE = (row: string): string =>
  `${row}.created_at >= r.since AND ${row}.created_at < r.until + interval '1 ms'`;

/**
 * The range is over the pair, like the index of a webhook's messages: with an equality condition the planner might use
 * the primary key instead, and scan the messages of all other webhooks.
 *
 * Messages awaiting their first attempt, in flight, or redelivered since are left alone.
 */
const MESSAGES = {
  seen: (limit: number): string => `seen AS MATERIALIZED (
    SELECT m.* FROM replay r CROSS JOIN LATERAL (
      SELECT id FROM webhook_messages
      WHERE environment_id = r.environment_id AND (webhook_id, id) > (r.webhook_id, r.position)
        AND (webhook_id, id) < (r.webhook_id, r.end_id)
      ORDER BY webhook_id, id LIMIT ${limit}) m
  )`,
  chosen: `FROM replay r CROSS JOIN seen s
    JOIN webhook_messages m ON m.environment_id = r.environment_id AND m.id = s.id
    WHERE ${IN_RANGE('m')} AND (m.redelivered_at IS NULL OR m.redelivered_at < r.created_at)
      AND CASE r.selection WHEN 'failed' THEN m.status = 'failed'
        ELSE m.status IN ('delivered', 'failed') OR (m.status = 'pending' AND m.attempts > 0) END`,
  send: `chosen AS MATERIALIZED (
    SELECT m.environment_id, m.id %CHOSEN% FOR UPDATE OF m SKIP LOCKED
  ), sent AS (
    UPDATE webhook_messages m SET status = 'pending', next_attempt_at = now(), redelivered_at = now(), updated_at = now()
    FROM chosen c WHERE m.environment_id = c.environment_id AND m.id = c.id RETURNING 1
  )`,
};

/** Events without a message. The unique index on event and webhook resolves races with a dispatcher. */
const EVENTS = {
  seen: (limit: number): string => `seen AS MATERIALIZED (
    SELECT e.* FROM replay r CROSS JOIN LATERAL (
      SELECT id, name, created_at FROM events
      WHERE environment_id = r.environment_id AND id > GREATEST(r.position, $3::uuid) AND id < r.end_id
      ORDER BY id LIMIT ${limit}) e
  )`,
  chosen: `FROM replay r CROSS JOIN seen s
    WHERE ${IN_RANGE('s')} AND s.name = ANY (r.events) AND NOT EXISTS (
      SELECT FROM webhook_messages m
      WHERE m.environment_id = r.environment_id AND m.event_id = s.id AND m.webhook_id = r.webhook_id)`,
  send: `sent AS (
    INSERT INTO webhook_messages (environment_id, id, webhook_id, event_id, next_attempt_at, ordered_by)
    SELECT r.environment_id, ${NEW_ROW_ID}, r.webhook_id, s.id, now(), (
      SELECT ${orderingSubject(LISTENING_WEBHOOKS)} FROM webhooks w JOIN events e ON e.environment_id = w.environment_id AND e.id = s.id
      WHERE w.environment_id = r.environment_id AND w.id = r.webhook_id) %CHOSEN%
    ON CONFLICT DO NOTHING RETURNING 1
  )`,
};

const LAST_SEEN = `(SELECT id FROM seen ORDER BY id DESC LIMIT 1)`;

const countStep = (name: string, { seen, chosen }: typeof MESSAGES): Statement =>
  scopedStatement(
    name,
    `WITH ${HELD('counting')}, ${seen(COUNT_STEP)}
  UPDATE webhook_replays r SET
    total = r.total + (SELECT count(*) ${chosen}),
    state = CASE WHEN (SELECT count(*) FROM seen) < ${COUNT_STEP} THEN 'running' ELSE 'counting' END,
    position = CASE WHEN (SELECT count(*) FROM seen) < ${COUNT_STEP} THEN r.from_id ELSE ${LAST_SEEN} END,
    updated_at = now()
  FROM replay WHERE r.environment_id = replay.environment_id AND r.id = replay.id
  RETURNING ${ROW}, replay.done AS "doneBefore"`,
  );

const sendStep = (name: string, { seen, chosen, send }: typeof MESSAGES): Statement =>
  scopedStatement(
    name,
    `WITH ${HELD('running', ROOM)}, ${seen(STEP)},
  ${send.replace('%CHOSEN%', chosen)}
  UPDATE webhook_replays r SET
    done = r.done + (SELECT count(*) FROM sent),
    position = COALESCE(${LAST_SEEN}, r.position),
    state = CASE WHEN (SELECT count(*) FROM seen) < ${STEP} THEN 'completed' ELSE 'running' END,
    ended_at = CASE WHEN (SELECT count(*) FROM seen) < ${STEP} THEN now() END,
    updated_at = now()
  FROM replay WHERE r.environment_id = replay.environment_id AND r.id = replay.id
  RETURNING ${ROW}, replay.done AS "doneBefore"`,
  );

const STEPS = {
  counting: {
    messages: countStep('webhookReplays.countMessages', MESSAGES),
    events: countStep('webhookReplays.countEvents', EVENTS),
  },
  running: {
    messages: sendStep('webhookReplays.sendMessages', MESSAGES),
    events: sendStep('webhookReplays.sendEvents', EVENTS),
  },
};

/** Least recently touched first, so that every replay gets its turn. */
const LIST_UNDER_WAY = asSystem('a worker replays for every environment').statement(
  'webhookReplays.listUnderWay',
  `SELECT r.environment_id AS "environmentId", r.id, r.state, r.selection, w.is_enabled AS "isEnabled"
   FROM webhook_replays r JOIN webhooks w ON w.environment_id = r.environment_id AND w.id = r.webhook_id
   WHERE r.state IN ('counting', 'running') ORDER BY r.updated_at LIMIT 100`,
);

const FAIL = scopedStatement(
  'webhookReplays.fail',
  `UPDATE webhook_replays r SET state = 'failed', ended_at = now(), updated_at = now()
   FROM webhooks w
   WHERE r.environment_id = $1 AND r.id = $2 AND r.state IN ('counting', 'running')
     AND w.environment_id = r.environment_id AND w.id = r.webhook_id AND NOT w.is_enabled
   RETURNING ${ROW}, r.done AS "doneBefore"`,
);

export interface ReplayUnderWay {
  environmentId: string;
  id: string;
  state: 'counting' | 'running';
  selection: ReplaySelection;
  isEnabled: boolean;
}

export type SteppedReplay = WebhookReplayEntity & { doneBefore: number };

/** The steps of replays: each is one guarded statement that does the work and records the progress together. */
@Injectable()
export class ReplayStepsRepository {
  constructor(private readonly database: Database) {}

  listUnderWay(): Promise<ReplayUnderWay[]> {
    return this.database.rows(LIST_UNDER_WAY, []);
  }

  /**
   * The replay after the step; null if another instance holds it, it has ended, or its webhook has a full backlog.
   * @param oldestEvent events up to this id may have lost their messages to retention, so they do not count as missing
   */
  async step(
    environmentId: EnvironmentId,
    { id, state, selection }: ReplayUnderWay,
    oldestEvent: string,
    tx: Transaction,
  ): Promise<SteppedReplay | null> {
    const { messages, events } = STEPS[state];
    const rows =
      selection === 'missing'
        ? await tx.rows<SteppedReplay>(events, [environmentId, id, oldestEvent])
        : await tx.rows<SteppedReplay>(messages, [environmentId, id]);
    return rows[0] ?? null;
  }

  /** Fails a replay whose webhook is disabled; null if it is not, or the replay has ended. */
  async fail(environmentId: EnvironmentId, id: string, tx: Transaction): Promise<SteppedReplay | null> {
    return (await tx.rows<SteppedReplay>(FAIL, [environmentId, id]))[0] ?? null;
  }
}
