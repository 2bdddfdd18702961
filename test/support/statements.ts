import pg from 'pg';

type Query = (...call: unknown[]) => unknown;

export interface SentStatement {
  /** Empty when the statement is not prepared under a name. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** How many statements before it had their answer; those with the same number may travel together. */
  readonly answered: number;
}

export interface Counted<T> {
  readonly result: T;
  /** Texts of the statements in the order in which they were sent, `BEGIN` and `COMMIT` included. */
  readonly statements: string[];
  /** The same statements with their names and values. */
  readonly sent: SentStatement[];
}

/** What a connection is told when it was held for long, which depends on the machine and not on the work. */
const HOUSEKEEPING = 'DISCARD PLANS';

/** Time stands still for what is remembered of tenants, until it is told to go on. */
function standStill(): () => void {
  const then = performance.now();
  performance.now = () => then;
  // Its own, before that of its prototype.
  return () => void delete (performance as { now?: unknown }).now;
}

/** The pool hands a call on to a client, so a statement passes this place once whoever sends it. */
const prototype = pg.Client.prototype as { query: Query };

/**
 * What this process sends to PostgreSQL while `work` runs. Jobs of the same process count too: give the application
 * the role `api` to have none.
 *
 * @param first runs before and is not counted: what it has made known is known to `work`, however slow the machine is
 */
export async function countStatements<T>(
  work: () => Promise<T>,
  first: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Counted<T>> {
  const goOn = standStill();
  try {
    await first();
    return await count(work);
  } finally {
    goOn();
  }
}

async function count<T>(work: () => Promise<T>): Promise<Counted<T>> {
  const { query } = prototype;
  const sent: SentStatement[] = [];
  let answered = 0;
  const note = (): void => {
    answered += 1;
  };
  prototype.query = function (this: unknown, ...call: unknown[]): unknown {
    const statement = readCall(call);
    const answer = query.apply(this, call);
    if (statement.text === HOUSEKEEPING) return answer;
    sent.push({ ...statement, answered });
    if (answer instanceof Promise) answer.then(note, note);
    return answer;
  };
  try {
    const result = await work();
    return { result, sent, statements: sent.map(({ text }) => text) };
  } finally {
    prototype.query = query;
  }
}

function readCall([first, second]: unknown[]): Omit<SentStatement, 'answered'> {
  if (typeof first === 'string') return { name: '', text: first, values: Array.isArray(second) ? second : [] };
  const { name = '', text, values = [] } = first as Partial<SentStatement> & { text: string };
  return { name, text, values };
}
