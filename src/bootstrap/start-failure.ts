import { EgressAllowError } from '../outbound/index.js';
import { ConfigError } from '../config/index.js';
import { EmbeddedPostgresError, EncodingError, RowSecurityError, SharedSessionsError } from '../database/index.js';
import { KeyRingError, SealedBlobError } from '../vault/index.js';

/** Errors whose messages already say what to do. */
const FORESEEN = [
  ConfigError,
  EmbeddedPostgresError,
  KeyRingError,
  EgressAllowError,
  EncodingError,
  RowSecurityError,
  SharedSessionsError,
];

/** Codes of a file or folder that cannot be created, read or written. Errors of ports have no path. */
const FILE_FAULTS: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOTDIR', 'EISDIR']);

/** Codes of a file for which there is no room: a full disk, a quota, a limit of the process. */
const NO_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** What the driver says of a database without TLS; it has no code for it. */
const NO_TLS = 'The server does not support SSL connections';

/** What the driver says when the server closes the connection without a word; it has no code for it either. */
const CLOSED = 'Connection terminated unexpectedly';
const HUNG_UP =
  'The database ended the connection: check that the server runs and that DATABASE_URL names it, and start again.';

/** What Node reports of a certificate of the database that it does not accept. */
const CERTIFICATE_FAULTS = /^(?:UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|CERT_|ERR_TLS_CERT_)/;

interface SystemError extends NodeJS.ErrnoException {
  /** Of an error of PostgreSQL; `FATAL` ends the connection. */
  severity?: string;
  address?: string;
  port?: number;
  hostname?: string;
}

const HINTS: Record<string, (error: SystemError) => string> = {
  EADDRINUSE: ({ port }) => `Port ${port ?? ''} is in use by another program: stop it, or start with PORT=<free port>.`,
  EACCES: ({ port }) => `This user may not open port ${port ?? ''}: choose a port above 1023 with PORT=<port>.`,
  EADDRNOTAVAIL: ({ address }) => `This machine has no address ${address ?? ''}: correct HOST.`,
  ECONNREFUSED: ({ address, port }) =>
    `Nothing listens on ${address ?? ''}:${port ?? ''}: check DATABASE_URL and REDIS_URL, and that the servers are running.`,
  ENOTFOUND: ({ hostname }) => `The host ${hostname ?? ''} does not exist: check HOST, DATABASE_URL and REDIS_URL.`,
  EAI_AGAIN: ({ hostname }) =>
    `The host ${hostname ?? ''} cannot be resolved: check HOST, DATABASE_URL, REDIS_URL and the name server.`,
  EHOSTUNREACH: ({ address }) => `There is no route to ${address ?? ''}: check DATABASE_URL and the network.`,
  ENETUNREACH: ({ address }) => `There is no route to ${address ?? ''}: check DATABASE_URL and the network.`,
  '28P01': () => 'PostgreSQL rejected the user or the password in DATABASE_URL: correct them.',
  '28000': () => 'PostgreSQL does not admit the user in DATABASE_URL: correct it, or allow it in pg_hba.conf.',
  '42501': ({ message }) =>
    message.startsWith('must be owner of')
      ? `The user in DATABASE_URL does not own what a migration alters (${message}): where another role is to own it, as that of the trail or of sealed keys in docs/running.md, grant that role for the start; otherwise make the user its owner.`
      : 'The user in DATABASE_URL lacks rights that the schema needs: make it the owner of the database.',
  '55P03': () =>
    'Other transactions hold a table that a migration needs, such as a backup or a long query (pg_stat_activity shows them): end them, or start again when they are over.',
  '25006': () => 'The database takes no writes, which a start needs: let DATABASE_URL name the primary.',
  '53100': () => 'The disk of PostgreSQL is full: make room there, and start again.',
  '53300': () =>
    'PostgreSQL has no connection left: raise its max_connections, or lower DATABASE_POOL of the instances.',
  '57P01': () => HUNG_UP,
  '57P02': () => HUNG_UP,
  '57P03': () => 'PostgreSQL is starting or stopping: start again once it accepts connections.',
  ECONNRESET: () => HUNG_UP,
  EPIPE: () => HUNG_UP,
  '3D000': () => 'The database named in DATABASE_URL does not exist: create it first.',
};

/** One line with the cause and the remedy; the stack only for unexpected errors. */
export function explainStartFailure(error: unknown): string {
  const text = error instanceof Error ? (remedyOf(error) ?? error.stack ?? error.message) : String(error);
  return `Gatehouse did not start: ${text}`;
}

/** The cause and the remedy in one line; null for unexpected errors. */
export function remedyOf(error: Error): string | null {
  if (FORESEEN.some((type) => error instanceof type)) {
    return error.message;
  }
  if (error instanceof SealedBlobError) {
    return `neither MASTER_KEY nor another vault of KEY_VAULT can decrypt the secrets in this database (${error.reason}): start with the key that sealed them. In development that is master.key in DATA_DIR; if it is lost, move DATA_DIR away to start empty.`;
  }
  const cause = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  const { code = '', path, address, syscall, severity } = cause as SystemError;
  if (path !== undefined && syscall !== 'listen' && FILE_FAULTS.has(code)) {
    return `${path} cannot be used (${code}): give this user write access, or choose another folder with DATA_DIR.`;
  }
  if (path !== undefined && NO_ROOM.has(code)) {
    return `there is no room for ${path} (${code}): make room there, or choose another folder with DATA_DIR.`;
  }
  if (code === 'ENOENT' && path !== undefined && syscall === 'mkdir') {
    return `${path} cannot be created (${code}): choose another folder with DATA_DIR.`;
  }
  if (code === 'ENOENT' && path !== undefined && syscall === 'open') {
    return `There is no file ${path}: check the settings that name it, such as sslrootcert in DATABASE_URL.`;
  }
  if (code === 'ENOENT' && syscall === 'connect') {
    return `There is no socket ${address ?? ''}: check DATABASE_URL, and that the server is running.`;
  }
  if (CERTIFICATE_FAULTS.test(code)) {
    return `the certificate of the database is not accepted (${code}): check the host in DATABASE_URL, and name a private certificate authority in NODE_EXTRA_CA_CERTS.`;
  }
  if (cause.message === NO_TLS) {
    return 'the database speaks no TLS: turn it on there, or remove sslmode from DATABASE_URL.';
  }
  const hint = cause.message === CLOSED ? HUNG_UP : HINTS[code]?.(cause);
  if (hint) return hint;
  if (severity === 'FATAL') {
    return `PostgreSQL turned the connection away (${cause.message}): check DATABASE_URL.`;
  }
  if (/timeout/i.test(cause.message)) {
    return `the database does not respond (${cause.message}): check DATABASE_URL.`;
  }
  return null;
}
