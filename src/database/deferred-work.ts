import type { PoolClient } from 'pg';
import type { HeldConnections } from './held-connections.js';
import { Transaction } from './transaction.js';
import type { Unit, Work } from './work.js';

/** As if the unit had been committed: what is checked at a commit is checked here, and its savepoint is given up. */
const SETTLE = 'SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED; RELEASE SAVEPOINT unit';
const UNDO = 'ROLLBACK TO SAVEPOINT unit; RELEASE SAVEPOINT unit';

const ended = (): Error => new Error('The work of this call has ended: no unit can join it any more.');

/**
 * Units of work that are one transaction, which is committed by whoever asked for it and not when a unit ends. Each unit
 * is undone by itself when it fails; what they leave for after the commit waits for it. Once the work has ended, units
 * are refused: none of them becomes a transaction of its own. Its connection is held from its first unit on.
 */
export class DeferredWork implements Work {
  private state: 'open' | 'closing' | 'over' = 'open';
  private isReleased = false;
  private opening: Promise<PoolClient> | null = null;
  private queue: Promise<unknown> = Promise.resolve();
  private readonly units: Transaction[] = [];

  /** @param first runs before the first unit, in the transaction, which is opened for it */
  constructor(
    private readonly connections: HeldConnections,
    private readonly namesTenants: boolean,
    private readonly first: Unit<void>,
  ) {}

  private get isOver(): boolean {
    return this.state === 'over';
  }

  /** They take turns. */
  async run<T>(unit: Unit<T>): Promise<T> {
    if (this.state !== 'open') throw ended();
    return this.enqueue(unit);
  }

  /** Commits everything, with `last` as its last unit. Nothing is left of it when that fails. */
  async commit(last: Unit<void>): Promise<void> {
    const kept = this.enqueue(last);
    this.state = 'closing';
    await kept;
    const client = await this.opened();
    const { command } = await client.query('COMMIT');
    // A transaction that cannot be committed is rolled back, and PostgreSQL calls that no error.
    if (command !== 'COMMIT') throw new Error('The transaction of the request was rolled back.');
    this.end(client, false);
    for (const unit of this.units) unit.committed();
  }

  /** Nothing of it has happened, unless it was committed before. */
  async abandon(): Promise<void> {
    this.state = 'over';
    await this.queue;
    const client = await this.opening?.catch(() => null);
    if (!client) return;
    const broken = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    );
    this.end(client, broken);
  }

  /**
   * Gives it up while its work may still be going on: nothing of it has happened, and the connection is closed, since a
   * statement may be under way on it.
   */
  cancel(): void {
    this.state = 'over';
    void this.opening?.then(
      (client) => this.end(client, true),
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
    const client = await this.connections.connect();
    if (this.isOver) {
      // Given up while it waited: nothing was sent on the connection.
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

  private end(client: PoolClient, broken: boolean): void {
    this.state = 'over';
    if (this.isReleased) return;
    this.isReleased = true;
    this.connections.release(client, broken);
  }
}
