import type pg from 'pg';
import type { Operation } from '../load/ledger.js';
import type { Receipt } from '../servers/sink.js';

/** Pending work in the database. */
export interface Backlog {
  /** Events not yet expanded into messages. */
  readonly events: number;
  /** Messages to be sent or being sent. */
  readonly messages: number;
}

/** @param ignored webhooks whose messages may be pending */
export async function readBacklog(client: pg.Client, ignored: ReadonlySet<string>): Promise<Backlog> {
  const { rows } = await client.query<Backlog>(
    `SELECT (SELECT count(*) FROM events WHERE dispatched_at IS NULL)::int AS events,
            (SELECT count(*) FROM webhook_messages m
             JOIN webhooks w ON w.environment_id = m.environment_id AND w.id = m.webhook_id
             WHERE m.next_attempt_at IS NOT NULL AND substring(w.url FROM '[^/]*$') <> ALL ($1))::int AS messages`,
    [[...ignored]],
  );
  return rows[0] ?? { events: 0, messages: 0 };
}

export interface UserRow {
  readonly id: string;
  readonly email: string | null;
  readonly alias: string | null;
  readonly wallets: number;
  readonly sessions: number;
}
export interface CodeRow {
  readonly id: string;
  readonly email: string;
  readonly used: boolean;
}
export interface EventRow {
  readonly id: string;
  readonly name: string;
  readonly resourceId: string | null;
  readonly dispatched: boolean;
  /** Whether what it reports exists. */
  readonly committed: boolean;
}
export interface MessageRow {
  readonly id: string;
  readonly hook: string;
  readonly eventId: string;
  readonly status: 'pending' | 'sending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly leased: boolean;
}
export interface DeliveryRow {
  readonly messageId: string;
  readonly attempt: number;
  readonly status: 'delivered' | 'failed';
}

/** All that is known of a world after it has become quiet: the input of the checkers. */
export interface History {
  readonly operations: readonly Operation[];
  readonly receipts: readonly Receipt[];
  readonly users: readonly UserRow[];
  /** Codes that were used. */
  readonly codes: readonly CodeRow[];
  /** Events that webhooks subscribe to. */
  readonly events: readonly EventRow[];
  readonly messages: readonly MessageRow[];
  readonly deliveries: readonly DeliveryRow[];
  /** Webhooks that were enabled the whole time. */
  readonly hooks: readonly string[];
}

const USERS = `
  SELECT u.id, u.email, u.alias,
    (SELECT count(*) FROM wallets w WHERE w.environment_id = u.environment_id AND w.user_id = u.id)::int AS wallets,
    (SELECT count(*) FROM sessions s WHERE s.environment_id = u.environment_id AND s.user_id = u.id)::int AS sessions
  FROM users u WHERE u.environment_id = $1`;

const CODES = `
  SELECT id, email, used_at IS NOT NULL AS used FROM email_verifications
  WHERE environment_id = $1 AND used_at IS NOT NULL`;

const EVENTS = `
  SELECT e.id, e.name, e.resource_id AS "resourceId", e.dispatched_at IS NOT NULL AS dispatched,
    CASE split_part(e.name, '.', 1) || CASE WHEN e.name LIKE 'user.session.%' THEN '.session' ELSE '' END
      WHEN 'user' THEN EXISTS (SELECT FROM users r WHERE r.environment_id = $1 AND r.id = e.resource_id)
      WHEN 'wallet' THEN EXISTS (SELECT FROM wallets r WHERE r.environment_id = $1 AND r.id = e.resource_id)
      WHEN 'user.session' THEN EXISTS (SELECT FROM sessions r WHERE r.environment_id = $1 AND r.id = e.resource_id)
      ELSE true END AS committed
  FROM events e WHERE e.environment_id = $1 AND e.name = ANY ($2)`;

const MESSAGES = `
  SELECT m.id, substring(w.url FROM '[^/]*$') AS hook, m.event_id AS "eventId", m.status, m.attempts,
    m.lease_token IS NOT NULL AS leased
  FROM webhook_messages m JOIN webhooks w ON w.environment_id = m.environment_id AND w.id = m.webhook_id
  WHERE m.environment_id = $1`;

const DELIVERIES = `
  SELECT message_id AS "messageId", attempt, status FROM webhook_deliveries
  WHERE environment_id = $1 ORDER BY message_id, attempt`;

type Rows = Pick<History, 'users' | 'codes' | 'events' | 'messages' | 'deliveries'>;

/**
 * Reads everything from one snapshot: attempts continue for webhooks whose messages may be pending.
 *
 * @param names of the events that webhooks subscribe to
 */
export async function readRows(client: pg.Client, environmentId: string, names: readonly string[]): Promise<Rows> {
  const read = async <R extends object>(text: string, ...more: unknown[]): Promise<R[]> =>
    (await client.query(text, [environmentId, ...more])).rows as R[];
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const rows = {
    users: await read<UserRow>(USERS),
    codes: await read<CodeRow>(CODES),
    events: await read<EventRow>(EVENTS, names),
    messages: await read<MessageRow>(MESSAGES),
    deliveries: await read<DeliveryRow>(DELIVERIES),
  };
  await client.query('COMMIT');
  return rows;
}
