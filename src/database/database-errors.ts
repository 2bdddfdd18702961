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

const UNIQUE_VIOLATION = '23505';
const LOCK_NOT_AVAILABLE = '55P03';
const RETRYABLE = new Set(['40001', '40P01']);
/** Classes 08 (connection), 53 (resources), 57 (operator intervention, statement timeout), and read-only servers. */
const OUTAGE = /^(08|53|57)...$|^25006$/;
const UNREACHABLE =
  /timeout exceeded when trying to connect|Connection terminated|connection timeout|ECONNREFUSED|ECONNRESET|EPIPE|server closed the connection/i;

/** The constraint a statement ran into, or null when the error is another. */
export function violatedConstraint(error: unknown): string | null {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === UNIQUE_VIOLATION ? (constraint ?? '') : null;
}

/** What an error of PostgreSQL means to a client. */
export function translateDatabaseError(error: unknown): ApiError | null {
  if (!(error instanceof Error)) return null;
  const code = (error as { code?: unknown }).code;
  if (code === UNIQUE_VIOLATION) return duplicateExists({ cause: error });
  if (code === LOCK_NOT_AVAILABLE) return lockTimeout({ cause: error });
  if (typeof code === 'string' && RETRYABLE.has(code)) return conflict({ cause: error });
  if ((typeof code === 'string' && OUTAGE.test(code)) || UNREACHABLE.test(`${String(code)} ${error.message}`)) {
    return serviceUnavailable({ cause: error, retryAfterSeconds: 2 });
  }
  return null;
}
