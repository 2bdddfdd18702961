import { ConfigError } from '../config/index.js';
import { EmbeddedPostgresError } from '../database/index.js';
import { KeyRingError } from '../vault/index.js';

const FORESEEN = [ConfigError, EmbeddedPostgresError, KeyRingError];

const HINTS: Record<string, (error: NodeJS.ErrnoException & { port?: number; address?: string }) => string> = {
  EADDRINUSE: ({ port }) => `Port ${port ?? ''} is taken by another program: stop it, or start with PORT=<free port>.`,
  EACCES: ({ port }) => `Port ${port ?? ''} may not be opened by this user: choose a port above 1023 with PORT=<port>.`,
  ECONNREFUSED: ({ address, port }) =>
    `Nothing answers at ${address ?? ''}:${port ?? ''}: check DATABASE_URL and REDIS_URL, and that the servers run.`,
  ENOTFOUND: () => 'The host in DATABASE_URL or REDIS_URL is unknown: check its spelling.',
  '28P01': () => 'PostgreSQL refused the password in DATABASE_URL.',
  '28000': () => 'PostgreSQL refused the user in DATABASE_URL.',
  '3D000': () => 'The database named in DATABASE_URL does not exist: create it first.',
};

/** One line that says what was seen and what to do; the stack only for faults nobody foresaw. */
export function explainStartFailure(error: unknown): string {
  if (!(error instanceof Error)) return `Gatehouse did not start: ${String(error)}`;
  if (FORESEEN.some((type) => error instanceof type)) {
    return `Gatehouse did not start: ${error.message}`;
  }
  const cause = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  const hint = HINTS[(cause as NodeJS.ErrnoException).code ?? '']?.(cause);
  if (hint) return `Gatehouse did not start: ${hint}`;
  if (/timeout/i.test(cause.message)) {
    return `Gatehouse did not start: the database does not answer (${cause.message}); check DATABASE_URL.`;
  }
  return `Gatehouse did not start: ${error.stack ?? error.message}`;
}
