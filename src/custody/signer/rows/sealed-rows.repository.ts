import pg from 'pg';
import type { Config } from '../../../config/index.js';
import { KeysGone, RowsUnavailable, type RowPlace, type SealedKind, type SealedRows } from './sealed-rows.js';

/** Matches one row of one tenant and user. */
const BOUND = /^(?:SELECT|DELETE FROM) .* WHERE environment_id = \$1 AND user_id = \$2 AND id = \$3\b/;

interface RowStatement {
  readonly name: string;
  readonly text: string;
}

/** Like `scopedStatement`, which comes with mappers that a signer does not load. */
function rowStatement(name: string, text: string): RowStatement {
  const statement = { name, text: text.replace(/\s+/g, ' ').trim() };
  if (!BOUND.test(statement.text)) throw new Error(`The statement ${name} is not bound to one row of a user.`);
  return statement;
}

const SEED = rowStatement(
  'sealedRows.findSeed',
  `SELECT sealed_entropy AS sealed FROM wallet_seeds
   WHERE environment_id = $1 AND user_id = $2 AND id = $3 AND destroy_after IS NULL`,
);

const SHARES = rowStatement(
  'sealedRows.findShares',
  `SELECT sealed_shares AS sealed FROM key_share_sets
   WHERE environment_id = $1 AND user_id = $2 AND id = $3 AND generation = $4`,
);

// As when an instance reads them: reading an import deletes it.
const IMPORT = rowStatement(
  'sealedRows.redeemImport',
  `DELETE FROM key_imports
   WHERE environment_id = $1 AND user_id = $2 AND id = $3 AND session_id = $4 AND expires_at > now()
   RETURNING sealed_key AS sealed`,
);

const NOBODY = '00000000-0000-0000-0000-000000000000';
const NOTHING: RowPlace = { environmentId: NOBODY, userId: NOBODY, keysId: NOBODY, generation: 0, sessionId: NOBODY };

const KINDS: Readonly<Record<SealedKind, readonly [RowStatement, keyof RowPlace | null]>> = {
  seed: [SEED, null],
  shares: [SHARES, 'generation'],
  import: [IMPORT, 'sessionId'],
};

/** Reads sealed keys with a database role that may do nothing else. */
export class SealedRowsRepository implements SealedRows {
  private readonly pool: pg.Pool;

  constructor(config: Config, connectionString: string) {
    const waitMs = config.get('DATABASE_WAIT_MS');
    this.pool = new pg.Pool({
      connectionString,
      application_name: 'gatehouse-signer',
      max: config.databasePool,
      connectionTimeoutMillis: waitMs,
      // As elsewhere in the service, by a statement: poolers refuse it as a parameter of the connection. The server
      // cancels slower statements, and the client does not wait for that.
      // eslint-disable-next-line @typescript-eslint/no-misused-promises -- the pool waits, whatever its types say
      onConnect: (client) => client.query(`SET statement_timeout = ${Math.round(2.5 * waitMs)}`),
      query_timeout: 3 * waitMs,
      keepAlive: true,
    });
    // Idle connections fail, for instance when the server restarts: the pool opens new ones.
    this.pool.on('error', () => undefined);
  }

  async read(kind: SealedKind, place: RowPlace): Promise<Buffer> {
    const sealed = await this.find(kind, place);
    if (!sealed) throw new KeysGone(`There is no such ${kind}.`);
    return sealed;
  }

  /** Tries each statement with ids that match no row. */
  async findProblem(): Promise<string | null> {
    try {
      for (const kind of Object.keys(KINDS) as SealedKind[]) await this.find(kind, NOTHING);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  private async find(kind: SealedKind, place: RowPlace): Promise<Buffer | null> {
    const [statement, more] = KINDS[kind];
    const { environmentId, userId, keysId } = place;
    const values = [environmentId, userId, keysId, ...(more ? [place[more] ?? null] : [])];
    try {
      const { rows } = await this.pool.query<{ sealed: Buffer }>({ ...statement, values });
      return rows[0]?.sealed ?? null;
    } catch (error) {
      throw new RowsUnavailable(`The database does not give its rows to the signer (${codeOf(error)}).`);
    }
  }
}

/** The SQLSTATE, or the connection's error code. Messages may quote values. */
const codeOf = (error: unknown): string => {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : 'no answer';
};
