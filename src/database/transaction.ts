import type { PoolClient } from 'pg';
import type { Executor } from './executor.js';
import type { Statement } from './statement.js';

/** Work that commits or vanishes as a whole. Made by the UnitOfWork alone. */
export class Transaction implements Executor {
  private readonly callbacks: (() => void)[] = [];
  private readonly last: (() => Promise<void>)[] = [];

  constructor(private readonly client: PoolClient) {}

  async rows<R extends object>(statement: Statement, values: readonly unknown[]): Promise<R[]> {
    return (await this.client.query<R>({ ...statement, values: values as unknown[] })).rows;
  }

  async execute(statement: Statement, values: readonly unknown[]): Promise<number> {
    return (await this.client.query({ ...statement, values: values as unknown[] })).rowCount ?? 0;
  }

  /**
   * Runs inside the transaction when its work is done, just before it commits: for rows that many transactions lock,
   * which are then held for as short as possible and never before a lock of the work. A failure rolls everything back.
   */
  beforeCommit(work: () => Promise<void>): void {
    this.last.push(work);
  }

  /** Runs once the transaction has committed. For wake-ups only: what must not be lost is a row. */
  afterCommit(callback: () => void): void {
    if (!this.callbacks.includes(callback)) this.callbacks.push(callback);
  }

  /** Called by the UnitOfWork. */
  async finish(): Promise<void> {
    for (const work of this.last) await work();
  }

  /** Called by the UnitOfWork. */
  committed(): void {
    for (const callback of this.callbacks) callback();
  }
}
