import { Logger } from '@nestjs/common';
import type { PoolClient, QueryConfig } from 'pg';
import type { Executor } from './executor.js';
import { nameTenant, tenantOf } from './row-security/named-tenant.js';
import type { Statement } from './statement.js';

/**
 * Rows locked by many transactions, in the order in which every transaction locks them, so that no deadlock can occur.
 */
const LOCKED_LAST = ['key ledger', 'audit trail'] as const;
export type LockedLast = (typeof LOCKED_LAST)[number];

const log = new Logger('Database');

/** Milliseconds: the longest Node timer, which stands for no limit with the driver. */
const NO_LIMIT = 2 ** 31 - 1;

/** Work that is committed or rolled back as a whole. Created only by the UnitOfWork. */
export class Transaction implements Executor {
  private readonly callbacks: (() => void)[] = [];
  private readonly undoCallbacks: (() => void)[] = [];
  private readonly last: Record<LockedLast, (() => Promise<void>)[]> = { 'key ledger': [], 'audit trail': [] };
  private readonly sent: Promise<unknown>[] = [];

  /** The tenant whose rows the statements currently access; null before the first is named. */
  private named: string | null = null;
  private readonly patience: { query_timeout?: number } = {};

  /** @param namesTenants whether each statement names its tenant, for row-level security */
  constructor(
    private readonly client: PoolClient,
    private readonly namesTenants: boolean,
  ) {}

  async rows<R extends object>(statement: Statement, values: readonly unknown[]): Promise<R[]> {
    this.name(statement, values);
    return (await this.client.query<R>(this.asked(statement, values))).rows;
  }

  async execute(statement: Statement, values: readonly unknown[]): Promise<number> {
    this.name(statement, values);
    return (await this.client.query(this.asked(statement, values))).rowCount ?? 0;
  }

  /**
   * Sends a statement without waiting for its response; later statements follow directly behind it. If it fails, so
   * does everything after it, and the transaction fails with its error.
   *
   * @param read receives the rows before the transaction ends
   */
  send<R extends object>(
    statement: Statement | string,
    values: readonly unknown[] = [],
    read?: (rows: R[]) => void,
  ): void {
    if (typeof statement !== 'string') this.name(statement, values);
    const query = typeof statement === 'string' ? { text: statement, ...this.patience } : this.asked(statement, values);
    const sent = this.client.query<R>(query);
    const answer = read ? sent.then(({ rows }) => read(rows)) : sent;
    // Checked when the transaction ends.
    answer.catch(() => undefined);
    this.sent.push(answer);
  }

  /** Removes the statement timeout from here on: for operators' work, which no request waits for. */
  takeTime(): void {
    this.patience.query_timeout = NO_LIMIT;
    this.send('SET LOCAL statement_timeout = 0');
  }

  /**
   * Runs inside the transaction just before it commits: for rows that many transactions lock, which are then held as
   * briefly as possible and never before a lock of the work itself. A failure rolls everything back.
   */
  beforeCommit(locks: LockedLast, work: () => Promise<void>): void {
    this.last[locks].push(work);
  }

  /** Runs once the transaction has committed. For wake-ups only: anything that must not be lost needs a row. */
  afterCommit(callback: () => void): void {
    if (!this.callbacks.includes(callback)) this.callbacks.push(callback);
  }

  /**
   * Runs if the unit succeeded and its transaction was rolled back afterwards, as that of a call with an
   * `Idempotency-Key` may be. A unit that fails tells its caller; so does not knowing whether the commit succeeded.
   */
  afterUndo(callback: () => void): void {
    this.undoCallbacks.push(callback);
  }

  /** Called by the UnitOfWork. */
  async finish(): Promise<void> {
    for (const name of LOCKED_LAST) for (const work of this.last[name]) await work();
  }

  private asked(statement: Statement, values: readonly unknown[]): QueryConfig & { query_timeout?: number } {
    return { ...statement, values: values as unknown[], ...this.patience };
  }

  /** Sent ahead of the statement, which fails if this does. */
  private name(statement: Statement, values: readonly unknown[]): void {
    const tenant = this.namesTenants ? tenantOf(statement, values) : null;
    if (tenant === null || tenant === this.named) return;
    this.named = tenant;
    this.client.query(nameTenant(tenant)).catch(() => undefined);
  }

  /** Called by the UnitOfWork. @throws the first error of the statements that were sent without waiting */
  async settle(): Promise<void> {
    for (const answer of this.sent) await answer;
  }

  /** Called by the UnitOfWork. The commit is final: a failing wake-up undoes nothing, and the others still run. */
  committed(): void {
    runAll('after-commit', this.callbacks);
  }

  /** Called by the UnitOfWork. */
  undone(): void {
    runAll('after-undo', this.undoCallbacks);
  }
}

function runAll(when: string, callbacks: readonly (() => void)[]): void {
  const tell = (error: unknown): void =>
    log.error(`An ${when} callback failed: ${error instanceof Error ? error.stack : String(error)}`);
  for (const callback of callbacks) {
    try {
      const begun = callback() as unknown;
      if (begun instanceof Promise) begun.catch(tell);
    } catch (error) {
      tell(error);
    }
  }
}

/** Whether the executor is a transaction rather than the pool. */
export const isTransaction = (on: Executor): on is Transaction => on instanceof Transaction;
