import { Logger } from '@nestjs/common';
import type { PoolClient, QueryConfig } from 'pg';
import type { Executor } from './executor.js';
import { nameTenant, tenantOf } from './row-security/named-tenant.js';
import type { Statement } from './statement.js';

/**
 * Rows that many transactions lock, in the order in which each of them does: whoever holds one waits only for those
 * after it, so that no two wait for each other.
 */
const LOCKED_LAST = ['key ledger', 'audit trail'] as const;
export type LockedLast = (typeof LOCKED_LAST)[number];

const log = new Logger('Database');

/** Milliseconds: the longest that a timer of Node can take, and what stands for no limit with the driver. */
const NO_LIMIT = 2 ** 31 - 1;

/** Work that commits or vanishes as a whole. Made by the UnitOfWork alone. */
export class Transaction implements Executor {
  private readonly callbacks: (() => void)[] = [];
  private readonly last: Record<LockedLast, (() => Promise<void>)[]> = { 'key ledger': [], 'audit trail': [] };
  private readonly sent: Promise<unknown>[] = [];

  /** Whose rows the statements meet at present; null where none was named yet. */
  private named: string | null = null;
  private readonly patience: { query_timeout?: number } = {};

  /** @param namesTenants whether each statement says whose rows it is to meet, for the policies of the tables */
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
   * Runs a statement whose answer nobody needs, without waiting for it: what follows travels right behind. Should it fail,
   * so does everything after it in the transaction, and the transaction with its error.
   *
   * @param read is handed the rows before the transaction ends
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
    // Looked at when the transaction ends.
    answer.catch(() => undefined);
    this.sent.push(answer);
  }

  /** Lets each statement from here on take as long as it takes: for work of operators, which nobody waits for in a request. */
  takeTime(): void {
    this.patience.query_timeout = NO_LIMIT;
    this.send('SET LOCAL statement_timeout = 0');
  }

  /**
   * Runs inside the transaction when its work is done, just before it commits: for rows that many transactions lock,
   * which are then held for as short as possible and never before a lock of the work. A failure rolls everything back.
   */
  beforeCommit(locks: LockedLast, work: () => Promise<void>): void {
    this.last[locks].push(work);
  }

  /** Runs once the transaction has committed. For wake-ups only: what must not be lost is a row. */
  afterCommit(callback: () => void): void {
    if (!this.callbacks.includes(callback)) this.callbacks.push(callback);
  }

  /** Called by the UnitOfWork. */
  async finish(): Promise<void> {
    for (const name of LOCKED_LAST) for (const work of this.last[name]) await work();
  }

  private asked(statement: Statement, values: readonly unknown[]): QueryConfig & { query_timeout?: number } {
    return { ...statement, values: values as unknown[], ...this.patience };
  }

  /** Travels before the statement, which fails if it does. */
  private name(statement: Statement, values: readonly unknown[]): void {
    const tenant = this.namesTenants ? tenantOf(statement, values) : null;
    if (tenant === null || tenant === this.named) return;
    this.named = tenant;
    this.client.query(nameTenant(tenant)).catch(() => undefined);
  }

  /** Called by the UnitOfWork. @throws what the first of the statements failed with that were sent and not waited for */
  async settle(): Promise<void> {
    for (const answer of this.sent) await answer;
  }

  /** Called by the UnitOfWork. What is committed is done: a wake-up that fails takes back nothing, and keeps no other back. */
  committed(): void {
    for (const callback of this.callbacks) {
      try {
        const begun = callback() as unknown;
        if (begun instanceof Promise) begun.catch(tellOfFailure);
      } catch (error) {
        tellOfFailure(error);
      }
    }
  }
}

function tellOfFailure(error: unknown): void {
  log.error(`An after-commit callback failed: ${error instanceof Error ? error.stack : String(error)}`);
}

/** Whether what is asked is one transaction, and not the pool. */
export const isTransaction = (on: Executor): on is Transaction => on instanceof Transaction;
