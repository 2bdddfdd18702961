import pg from 'pg';

type Query = (...call: unknown[]) => unknown;

export interface Counted<T> {
  readonly result: T;
  /** Texts of the statements in the order in which they were sent, `BEGIN` and `COMMIT` included. */
  readonly statements: string[];
}

/** The pool hands a call on to a client, so a statement passes this place once whoever sends it. */
const prototype = pg.Client.prototype as { query: Query };

/**
 * What this process sends to PostgreSQL while `work` runs. Jobs of the same process count too: give the application
 * the role `api` to have none.
 */
export async function countStatements<T>(work: () => Promise<T>): Promise<Counted<T>> {
  const { query } = prototype;
  const statements: string[] = [];
  prototype.query = function (this: unknown, ...call: unknown[]): unknown {
    const [first] = call;
    statements.push(typeof first === 'string' ? first : (first as { text: string }).text);
    return query.apply(this, call);
  };
  try {
    return { result: await work(), statements };
  } finally {
    prototype.query = query;
  }
}
