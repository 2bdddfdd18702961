import type { Statement } from './statement.js';

/** Something that runs statements: the pool, or a transaction. */
export interface Executor {
  /** The rows of a statement, with column names as written in it. */
  rows<R extends object>(statement: Statement, values: readonly unknown[]): Promise<R[]>;
  /** The number of rows a statement changed. */
  execute(statement: Statement, values: readonly unknown[]): Promise<number>;
}
