import { conflict, serviceUnavailable, type ApiError } from '../common/errors/index.js';
import { defineError } from '../common/errors/index.js';

export const duplicateExists = defineError({
  code: 'duplicate_exists',
  status: 422,
  message: 'A record with these values exists already.',
  hint: 'Read the existing record, or choose other values.',
  cause: 'A value that must be unique in the environment is taken.',
  fix: 'Use the existing record or change the value.',
});

export const lockTimeout = defineError({
  code: 'lock_timeout',
  status: 422,
  message: 'The record is being changed by other requests.',
  hint: 'Wait a moment and try again.',
  cause: 'Requests for the same record kept it locked for longer than three seconds.',
  fix: 'Retry; if it persists, look for a client that sends the same change many times at once.',
});

export const referenceNotFound = defineError({
  code: 'reference_not_found',
  status: 422,
  message: 'A record does not exist that the request refers to, or others refer to what it removes.',
  hint: 'Check the ids in the request. What was just deleted cannot be referred to, and what others refer to cannot be deleted.',
  cause:
    'An id names a record that is not in the environment, that was deleted meanwhile, or that others still refer to.',
  fix: 'Read the records the request names, and send it again with ids that exist. Nothing was written.',
});

const FOREIGN_KEY_VIOLATION = '23503';
const UNIQUE_VIOLATION = '23505';
const DIVISION_BY_ZERO = '22012';
const LOCK_NOT_AVAILABLE = '55P03';
const RETRYABLE = new Set(['40001', '40P01']);
/**
 * Classes 08 (connection), 28 (authorization), 53 (resources), 57 (operator intervention, statement timeout) and 58
 * (system), missing databases, read-only servers, and transactions terminated by a timeout.
 */
const OUTAGE = /^(?:08|28|53|57|58)...$|^3D000$|^250(?:06|P03|P04)$/;
/**
 * What ends a session or refuses to begin one, whatever its code: a server with a full disk fails so without a code of
 * its own. A server whose `lc_messages` is not English says this in its own words.
 */
const ENDS_SESSION: ReadonlySet<unknown> = new Set(['FATAL', 'PANIC']);
/** Error codes of the operating system and its resolver. */
const UNREACHABLE_CODE =
  /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** What fails so never reached the server, for any reason: its socket is gone or full, this process has no file left. */
const REACHING: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo']);
/** Driver messages that come without a code. */
const UNREACHABLE_TEXT =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|connection timeout|connection error and is not queryable|was closed and is not queryable|Cannot use a pool after calling end|server closed the connection/i;

/** The server ended the session, or the connection broke or fell silent. */
const LOST_CODE = /^(?:08...|57P0[12]|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
const LOST_TEXT =
  /Query read timeout|Connection terminated|connection error and is not queryable|was closed and is not queryable/i;

/** Whether the connection was lost while the statement ran: a retry on another connection may succeed. */
export function isLostConnection(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? LOST_CODE.test(code) : LOST_TEXT.test(error.message);
}

/** The connection was lost after a commit was sent: nobody knows whether it succeeded. */
export class CommitInDoubt extends Error {
  override readonly name = 'CommitInDoubt';

  constructor(lost: Error) {
    super(`The connection was lost during a commit: ${lost.message}`, { cause: lost });
  }
}

/** Whether a statement referred to a deleted row or lost to another transaction: a retry may succeed. */
export function wasOvertaken(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === FOREIGN_KEY_VIOLATION || (typeof code === 'string' && RETRYABLE.has(code));
}

/**
 * Whether a statement ended its transaction because `1 / (condition)::int` divided by zero: SQL has no other way to fail
 * on purpose without a function in every database. For statements whose answer nobody waits for.
 */
export const wasUnmet = (error: unknown): boolean => (error as { code?: unknown }).code === DIVISION_BY_ZERO;

/** Whether a statement gave up waiting for a lock: a retry may succeed. */
export const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE;

/** Classes 22 (data) and 23 (constraints). */
const REFUSED = /^2[23]...$/;

/** Whether the server rejected the values of a statement: a retry would fail again. */
export function areValuesRefused(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && REFUSED.test(code);
}

/** The constraint that a statement violated, or null for any other error. */
export function violatedConstraint(error: unknown): string | null {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === UNIQUE_VIOLATION ? (constraint ?? '') : null;
}

/** Maps a PostgreSQL error to the API error a client receives. */
export function translateDatabaseError(error: unknown): ApiError | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as { code?: unknown };
  if (code === UNIQUE_VIOLATION) return duplicateExists({ cause: error });
  if (code === FOREIGN_KEY_VIOLATION) return referenceNotFound({ cause: error });
  if (code === LOCK_NOT_AVAILABLE) return lockTimeout({ cause: error });
  if (typeof code === 'string' && RETRYABLE.has(code)) return conflict({ cause: error });
  return error instanceof CommitInDoubt || isOutage(error)
    ? serviceUnavailable({ cause: error, retryAfterSeconds: 2 })
    : null;
}

/** Whether the database is unreachable, overloaded or read-only: the same call may succeed later. */
function isOutage(error: Error & { code?: unknown; severity?: unknown; syscall?: unknown }): boolean {
  const { code, message, severity, syscall } = error;
  if (ENDS_SESSION.has(severity) || REACHING.has(syscall)) return true;
  if (typeof code === 'string' && (OUTAGE.test(code) || UNREACHABLE_CODE.test(code))) return true;
  return UNREACHABLE_TEXT.test(message);
}
