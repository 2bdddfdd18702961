import pg from 'pg';

type Query = (...call: unknown[]) => unknown;

export interface SentStatement {
  /** Empty for an unnamed statement. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** How many earlier statements had been answered; those with the same number may be sent together. */
  readonly answered: number;
}

export interface Counted<T> {
  readonly result: T;
  /** Texts of the statements in sending order, including `BEGIN` and `COMMIT`. */
  readonly statements: string[];
  /** The same statements with their names and values. */
  readonly sent: SentStatement[];
}

/** Sent on a connection that was held for long, which depends on the machine and not on the work. */
const HOUSEKEEPING = 'DISCARD PLANS';

/** Stops the clock of cached tenant data until the returned function is called. */
function standStill(): () => void {
  const then = performance.now();
  performance.now = () => then;
  // Removes the own property that hides the prototype's method.
  return () => void delete (performance as { now?: unknown }).now;
}

/** The pool delegates to a client, so every statement passes here exactly once. */
const prototype = pg.Client.prototype as { query: Query };

/**
 * What this process sends to PostgreSQL while `work` runs. Jobs of the same process count too: give the application the
 * role `api` to have none.
 *
 * @param first runs before and is not counted: what it loads stays cached for `work`, however slow the machine is
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
