import { AsyncLocalStorage } from 'node:async_hooks';
import type { PoolClient } from 'pg';
import type { Database } from './database.js';
import { Transaction } from './transaction.js';

type Work<T> = (tx: Transaction) => Promise<T>;

/** As if the unit had been committed: what is checked at a commit is checked here, and its savepoint is given up. */
const SETTLE = 'SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED; RELEASE SAVEPOINT unit';
const UNDO = 'ROLLBACK TO SAVEPOINT unit; RELEASE SAVEPOINT unit';

/**
 * Everything that one request does, in one transaction that is committed when its answer is known. Units of work of the
 * request become parts of it, each undone by itself when it fails; until it is armed, and once it is over, they are
 * transactions of their own as always.
 */
export class DeferredWork {
  private static readonly current = new AsyncLocalStorage<DeferredWork>();

  private first: Work<void> | null = null;
  private isCancelled = false;
  private isReleased = false;
  private opening: Promise<PoolClient> | null = null;
  private queue: Promise<unknown> = Promise.resolve();
  private readonly units: Transaction[] = [];

  constructor(private readonly database: Database) {}

  /** The one that the running request was given; it may be armed or not. */
  static get ofRequest(): DeferredWork | undefined {
    return DeferredWork.current.getStore();
  }

  get isArmed(): boolean {
    return this.first !== null || this.isCancelled;
  }

  /** Calls `next`, and belongs to all that comes of it. */
  enter(next: () => void): void {
    DeferredWork.current.run(this, next);
  }

  /** From here on units of work are put off. @param first runs before the first of them, in the transaction */
  arm(first: Work<void>): void {
    this.first = first;
  }

  /** One unit of work; they take turns. */
  join<T>(work: Work<T>): Promise<T> {
    const turn = this.queue.then(() => this.run(work));
    this.queue = turn.catch(() => undefined);
    return turn;
  }

  /** Commits everything, with `last` as its last unit. Nothing is left of it when that fails. */
  async commit(last: Work<void>): Promise<void> {
    await this.join(last);
    const client = await this.opened();
    const { command } = await client.query('COMMIT');
    // A transaction that cannot be committed is rolled back, and PostgreSQL calls that no error.
    if (command !== 'COMMIT') throw new Error('The transaction of the request was rolled back.');
    this.end(client, false);
    for (const unit of this.units) unit.committed();
  }

  /** Nothing of it has happened, unless it was committed before. */
  async abandon(): Promise<void> {
    if (!this.isArmed) return;
    await this.queue;
    const client = await this.opening?.catch(() => null);
    this.first = null;
    if (!client) return;
    const broken = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    );
    this.end(client, broken);
  }

  /**
   * Gives it up while its work may still be going on: nothing of it has happened, later units are refused, and the
   * connection is closed, since a statement may be under way on it.
   */
  cancel(): void {
    this.isCancelled = true;
    void this.opening?.then(
      (client) => this.end(client, true),
      () => undefined,
    );
    this.first = null;
  }

  /** Whoever did the work has come to its end: what is left of its context is nobody's work any more. */
  leave(): void {
    this.isCancelled = false;
  }

  private async run<T>(work: Work<T>): Promise<T> {
    if (this.isCancelled) throw new Error('The work of this request was given up.');
    const client = await this.opened();
    const unit = new Transaction(client, this.database.namesTenants);
    try {
      unit.send('SAVEPOINT unit');
      const result = await work(unit);
      await unit.finish();
      unit.send(SETTLE);
      await unit.settle();
      this.units.push(unit);
      return result;
    } catch (error) {
      // On a connection that is gone this fails, and so will the commit.
      await client.query(UNDO).catch(() => undefined);
      await unit.settle();
      throw error;
    }
  }

  private opened(): Promise<PoolClient> {
    return (this.opening ??= this.open());
  }

  private async open(): Promise<PoolClient> {
    const { first } = this;
    if (!first) throw new Error('The work of this request is over.');
    const client = await this.database.connect();
    try {
      await client.query('BEGIN');
      await first(new Transaction(client, this.database.namesTenants));
      return client;
    } catch (error) {
      const broken = await client.query('ROLLBACK').then(
        () => false,
        () => true,
      );
      client.release(broken);
      throw error;
    }
  }

  private end(client: PoolClient, broken: boolean): void {
    this.first = null;
    if (this.isReleased) return;
    this.isReleased = true;
    client.release(broken);
  }
}
