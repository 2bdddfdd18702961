import { holdsEveryText, SharedSessionsError } from '../../database/index.js';
import { causeOf, fail, ok, warn, type Finding } from '../finding.js';

export interface DatabaseState {
  /** `server_version_num`: 180001 is 18.1. */
  version: number;
  /** `server_encoding`, which a database keeps for ever. */
  encoding: string;
  /** For a standby or a read-only server. */
  isReadOnly: boolean;
  pendingMigrations: readonly string[];
}

const LEAST = 15;

/**
 * @param read returns the state of the database; null if there is none yet
 * @param remedyOf what a failed start would say of such an error
 */
export async function checkDatabase(
  read: () => Promise<DatabaseState | null>,
  remedyOf: (error: Error) => string | null = () => null,
): Promise<Finding> {
  let state: DatabaseState | null;
  try {
    state = await read();
  } catch (error) {
    if (error instanceof SharedSessionsError) return fail(error.meaning, error.fix);
    const { severity } = error as { severity?: unknown };
    const remedy = error instanceof Error ? remedyOf(error)?.replace(/\.$/, '') : null;
    return fail(
      `${severity === undefined ? 'does not respond' : 'refuses the connection'} (${causeOf(error)})`,
      remedy ?? 'check DATABASE_URL and that PostgreSQL is running',
    );
  }
  if (!state) return warn('there is none yet', 'npm start creates one in DATA_DIR');
  const { version, encoding, isReadOnly, pendingMigrations } = state;
  const name = `PostgreSQL ${Math.floor(version / 10_000)}.${version % 10_000}`;
  if (version < LEAST * 10_000)
    return fail(`${name}; ${LEAST} or newer is required`, `upgrade PostgreSQL to ${LEAST} or newer`);
  if (!holdsEveryText(encoding)) {
    return fail(
      `${name}, encoded in ${encoding}, which cannot hold every name`,
      "create a database with ENCODING 'UTF8' and move the data there with pg_dump",
    );
  }
  if (isReadOnly) return fail(`${name} takes no writes`, 'let DATABASE_URL name the primary');
  if (pendingMigrations.length > 0) {
    return fail(
      `${name}, ${pendingMigrations.length} migrations pending (${pendingMigrations[0]})`,
      'npm run migration:run',
    );
  }
  return ok(`${name}, schema up to date`);
}
