import type { Transaction } from './transaction.js';

/** Work that is done as a whole or not at all. */
export type Unit<T> = (tx: Transaction) => Promise<T>;

/**
 * Runs units of work. With the `UnitOfWork` each is its own transaction; in a call with an `Idempotency-Key` all share
 * one transaction, committed together with the response. So code that may run in a keyed call takes it as an argument,
 * which makes the choice visible in the call.
 */
export interface Work {
  /** @param unit may be rolled back alone; its `afterCommit` callbacks run once its transaction has committed */
  run<T>(unit: Unit<T>): Promise<T>;
}
