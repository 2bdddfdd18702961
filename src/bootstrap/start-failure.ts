import { EgressAllowError } from '../outbound/index.js';
import { ConfigError } from '../config/index.js';
import { EmbeddedPostgresError, RowSecurityError } from '../database/index.js';
import { KeyRingError, SealedBlobError } from '../vault/index.js';

/** Their messages say what to do already. */
const FORESEEN = [ConfigError, EmbeddedPostgresError, KeyRingError, EgressAllowError, RowSecurityError];

/** Of a file or folder that cannot be made, read or written; a port has no path. */
const FILE_FAULTS: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOTDIR', 'EISDIR', 'ENOSPC']);

interface SystemError extends NodeJS.ErrnoException {
  address?: string;
  port?: number;
  hostname?: string;
}

const HINTS: Record<string, (error: SystemError) => string> = {
  EADDRINUSE: ({ port }) => `Port ${port ?? ''} is taken by another program: stop it, or start with PORT=<free port>.`,
  EACCES: ({ port }) => `Port ${port ?? ''} may not be opened by this user: choose a port above 1023 with PORT=<port>.`,
  EADDRNOTAVAIL: ({ address }) => `This machine has no address ${address ?? ''}: correct HOST.`,
  ECONNREFUSED: ({ address, port }) =>
    `Nothing answers at ${address ?? ''}:${port ?? ''}: check DATABASE_URL and REDIS_URL, and that the servers run.`,
  ENOTFOUND: ({ hostname }) => `The host ${hostname ?? ''} is unknown: check HOST, DATABASE_URL and REDIS_URL.`,
  EAI_AGAIN: ({ hostname }) =>
    `The host ${hostname ?? ''} cannot be looked up: check HOST, DATABASE_URL, REDIS_URL and the name server.`,
  EHOSTUNREACH: ({ address }) => `There is no way to ${address ?? ''}: check DATABASE_URL and the network.`,
  ENETUNREACH: ({ address }) => `There is no way to ${address ?? ''}: check DATABASE_URL and the network.`,
  '28P01': () => 'PostgreSQL refused the user or the password in DATABASE_URL: correct them.',
  '28000': () => 'PostgreSQL does not admit the user in DATABASE_URL: correct it, or allow it in pg_hba.conf.',
  '42501': () => 'The user in DATABASE_URL may not do what the schema needs: make it the owner of the database.',
  '3D000': () => 'The database named in DATABASE_URL does not exist: create it first.',
};

/** One line that says what was seen and what to do; the stack only for faults nobody foresaw. */
export function explainStartFailure(error: unknown): string {
  if (!(error instanceof Error)) return `Gatehouse did not start: ${String(error)}`;
  if (FORESEEN.some((type) => error instanceof type)) {
    return `Gatehouse did not start: ${error.message}`;
  }
  if (error instanceof SealedBlobError) {
    return `Gatehouse did not start: MASTER_KEY does not open what is stored in this database, nor does another vault of KEY_VAULT (${error.reason}): start with the key it was stored with.`;
  }
  const cause = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  const { code = '', path, syscall } = cause as SystemError;
  if (path !== undefined && syscall !== 'listen' && FILE_FAULTS.has(code)) {
    return `Gatehouse did not start: ${path} cannot be used (${code}): let this user write there, or choose another folder with DATA_DIR.`;
  }
  const hint = HINTS[code]?.(cause);
  if (hint) return `Gatehouse did not start: ${hint}`;
  if (/timeout/i.test(cause.message)) {
    return `Gatehouse did not start: the database does not answer (${cause.message}); check DATABASE_URL.`;
  }
  return `Gatehouse did not start: ${error.stack ?? error.message}`;
}
