import { causeOf, fail, ok, warn, type Finding } from '../finding.js';

export interface DatabaseState {
  /** As PostgreSQL counts: 180001 is 18.1. */
  version: number;
  pendingMigrations: readonly string[];
}

const LEAST = 15;

/** @param read the state of the database; null when there is none yet */
export async function checkDatabase(read: () => Promise<DatabaseState | null>): Promise<Finding> {
  let state: DatabaseState | null;
  try {
    state = await read();
  } catch (error) {
    return fail(`does not answer (${causeOf(error)})`, 'check DATABASE_URL and that PostgreSQL runs');
  }
  if (!state) return warn('there is none yet', 'npm start makes one in DATA_DIR');
  const { version, pendingMigrations } = state;
  const name = `PostgreSQL ${Math.floor(version / 10_000)}.${version % 10_000}`;
  if (version < LEAST * 10_000)
    return fail(`${name}, and ${LEAST} is needed`, `upgrade PostgreSQL to ${LEAST} or newer`);
  if (pendingMigrations.length > 0) {
    return fail(
      `${name}, ${pendingMigrations.length} migrations pending (${pendingMigrations[0]})`,
      'npm run migration:run',
    );
  }
  return ok(`${name}, schema up to date`);
}
