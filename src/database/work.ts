import type { Transaction } from './transaction.js';

/** What is done as a whole or not at all. */
export type Unit<T> = (tx: Transaction) => Promise<T>;

/**
 * Where units of work are run. Of the `UnitOfWork` each is a transaction of its own; of a call with an `Idempotency-Key`
 * all are one transaction, which is committed together with the answer. So what is done for a caller who may have a key
 * takes it as an argument, and whoever reads the call sees which of the two it is.
 */
export interface Work {
  /** @param unit may be undone by itself; what it leaves with `afterCommit` happens once its transaction has committed */
  run<T>(unit: Unit<T>): Promise<T>;
}
