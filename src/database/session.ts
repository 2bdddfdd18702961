import type { ClientBase } from 'pg';

/** Milliseconds; 0 for no limit. */
interface SessionLimits {
  readonly statement: number;
  readonly lock: number;
  readonly idleInTransaction: number;
}

/**
 * What the service relies on, whatever the server, its database or the role has been given as default: the texts in
 * which the driver and the statements expect times, intervals, bytes and numbers, and the isolation for which guarded
 * updates are written. An idle connection is closed by the pool that holds it, and the one that holds a lock by nobody.
 * Where rows are kept (`search_path`) and how durably (`synchronous_commit`) is up to the operator.
 */
const EXPECTED = [
  "SET client_encoding = 'UTF8'; SET standard_conforming_strings = on; SET datestyle = 'ISO, MDY'; SET timezone = 'UTC'",
  "SET intervalstyle = 'postgres'; SET bytea_output = 'hex'; SET extra_float_digits = 1; SET array_nulls = on",
  "SET transform_null_equals = off; SET default_transaction_isolation = 'read committed'; SET idle_session_timeout = 0",
];

/** A limit that is unknown before PostgreSQL 17. */
const NO_TRANSACTION_LIMIT = `SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'transaction_timeout'`;

/** For work that may take any time. */
export const NO_LIMITS: SessionLimits = { statement: 0, lock: 0, idleInTransaction: 0 };

/**
 * Prepares a new connection. These are no startup parameters, because poolers such as PgBouncer refuse connections with
 * parameters that they do not know.
 *
 * @param waitMs how long the server may take
 */
export async function prepareSession(client: ClientBase, limits: SessionLimits, waitMs: number): Promise<void> {
  const text = [
    ...EXPECTED,
    `SET statement_timeout = ${Math.round(limits.statement)}`,
    `SET lock_timeout = ${Math.round(limits.lock)}`,
    `SET idle_in_transaction_session_timeout = ${Math.round(limits.idleInTransaction)}`,
    // For migrations, and for connections that hold a lock meanwhile.
    ...(limits.statement === 0 ? [NO_TRANSACTION_LIMIT] : []),
  ].join('; ');
  const query = { text, query_timeout: waitMs };
  await client.query(query);
}

/** The pool option that does so for each connection before its first use; the types of the driver hide that it waits. */
export const preparedSessions = (
  limits: SessionLimits,
  waitMs: number,
): { onConnect(client: ClientBase): Promise<void> } => ({
  onConnect: (client) => prepareSession(client, limits, waitMs),
});
