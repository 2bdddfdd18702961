import type { PoolClient } from 'pg';
import { isLostConnection } from './database-errors.js';
import type { HeldConnections } from './held-connections.js';
import { Transaction } from './transaction.js';
import type { Unit, Work } from './work.js';

/** Checks deferred constraints as a commit would, and releases the unit's savepoint. */
const SETTLE = 'SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED; RELEASE SAVEPOINT unit';
const UNDO = 'ROLLBACK TO SAVEPOINT unit; RELEASE SAVEPOINT unit';

const ended = (): Error => new Error('The work of this call has ended: no unit can join it any more.');

/**
 * Runs several units of work in one transaction, which the owner commits explicitly. A failed unit is rolled back
 * alone; `afterCommit` callbacks run after the final commit, `afterUndo` callbacks once it is certain that there is none.
 * Once the work has ended, further units are rejected instead of getting transactions of their own. The connection is
 * held from the first unit on.
 */
export class DeferredWork implements Work {
  private state: 'open' | 'closing' | 'over' = 'open';
  private isReleased = false;
  /** A commit was sent, and nobody knows whether it succeeded. */
  private isInDoubt = false;
  private opening: Promise<PoolClient> | null = null;
  private queue: Promise<unknown> = Promise.resolve();
  private readonly units: Transaction[] = [];

  /** @param first runs in the new transaction before the first unit */
  constructor(
    private readonly connections: HeldConnections,
    private readonly namesTenants: boolean,
    private readonly first: Unit<void>,
  ) {}

  private get isOver(): boolean {
    return this.state === 'over';
  }

  /** Units run one at a time. */
  async run<T>(unit: Unit<T>): Promise<T> {
    if (this.state !== 'open') throw ended();
    return this.enqueue(unit);
  }

  /** Commits everything, with `last` as the final unit. If that fails, nothing is committed. */
  async commit(last: Unit<void>): Promise<void> {
    const kept = this.enqueue(last);
    this.state = 'closing';
    await kept;
    const client = await this.opened();
    // Cancelled since the last unit ended.
    if (this.isOver) throw ended();
    this.isInDoubt = true;
    const { command } = await client.query('COMMIT').catch((error: unknown) => {
      this.isInDoubt = isLostConnection(error);
      throw error;
    });
    this.isInDoubt = false;
    // If a transaction cannot be committed, PostgreSQL rolls it back without reporting an error.
    if (command !== 'COMMIT') throw new Error('The transaction of the request was rolled back.');
    this.end(client, false);
    for (const unit of this.units) unit.committed();
  }

  /** Rolls everything back, unless already committed. */
  async abandon(): Promise<void> {
    this.state = 'over';
    await this.queue;
    const client = await this.opening?.catch(() => null);
    if (!client) return;
    const broken = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    );
    this.undo(client, broken);
  }

  /**
   * Rolls back while a unit may still be running. The connection is closed, since a statement may be in progress on it.
   */
  cancel(): void {
    this.state = 'over';
    void this.opening?.then(
      (client) => this.undo(client, true),
      () => undefined,
    );
  }

  private enqueue<T>(unit: Unit<T>): Promise<T> {
    const turn = this.queue.then(() => this.join(unit));
    this.queue = turn.catch(() => undefined);
    return turn;
  }

  private async join<T>(work: Unit<T>): Promise<T> {
    if (this.isOver) throw ended();
    const client = await this.opened();
    const unit = new Transaction(client, this.namesTenants);
    try {
      unit.send('SAVEPOINT unit');
      const result = await work(unit);
      await unit.finish();
      unit.send(SETTLE);
      await unit.settle();
      if (this.isOver) throw ended();
      this.units.push(unit);
      return result;
    } catch (error) {
      // Fails on a lost connection, and so will the commit.
      await client.query(UNDO).catch(() => undefined);
      // Cancelled meanwhile: the error of a closed connection would not say so.
      if (this.isOver) throw ended();
      await unit.settle();
      throw error;
    }
  }

  private opened(): Promise<PoolClient> {
    return (this.opening ??= this.open());
  }

  private async open(): Promise<PoolClient> {
    const client = await this.connections.connect();
    if (this.isOver) {
      // Cancelled while waiting for the connection, on which nothing has been sent.
      this.connections.release(client, false);
      throw ended();
    }
    try {
      await client.query('BEGIN');
      await this.first(new Transaction(client, this.namesTenants));
      return client;
    } catch (error) {
      const broken = await client.query('ROLLBACK').then(
        () => false,
        () => true,
      );
      this.connections.release(client, broken);
      throw error;
    }
  }

  private undo(client: PoolClient, broken: boolean): void {
    if (this.end(client, broken) && !this.isInDoubt) for (const unit of this.units) unit.undone();
  }

  /** False if it has ended before. */
  private end(client: PoolClient, broken: boolean): boolean {
    this.state = 'over';
    if (this.isReleased) return false;
    this.isReleased = true;
    this.connections.release(client, broken);
    return true;
  }
}
