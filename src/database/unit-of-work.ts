import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import { CommitInDoubt, isLostConnection } from './database-errors.js';
import { DeferredWork } from './deferred-work.js';
import { HeldConnections } from './held-connections.js';
import { Transaction } from './transaction.js';
import type { Unit, Work } from './work.js';

const BROKEN = true;

/** The only way to change several rows: all changes commit, or none. */
@Injectable()
export class UnitOfWork implements Work {
  private readonly held: HeldConnections;

  constructor(private readonly database: Database) {
    this.held = new HeldConnections(database);
  }

  /**
   * Runs `work` in one transaction of its own (READ COMMITTED). Never open a second connection inside it.
   *
   * @throws CommitInDoubt if it may have been committed; after any other error it was not
   */
  async run<T>(work: Unit<T>): Promise<T> {
    const client = await this.database.connect();
    const tx = new Transaction(client, this.database.namesTenants);
    let isCommitSent = false;
    let result: T;
    try {
      tx.send('BEGIN');
      result = await work(tx);
      await tx.finish();
      tx.send('COMMIT');
      isCommitSent = true;
      await tx.settle();
    } catch (error) {
      // A connection whose rollback fails is discarded.
      const broken = await client.query('ROLLBACK').then(
        () => false,
        () => BROKEN,
      );
      client.release(broken);
      // A failed statement that nobody waited for made everything after it fail.
      const first = await tx.settle().then(
        () => error,
        (earlier: unknown) => earlier,
      );
      throw isCommitSent && isLostConnection(first) ? new CommitInDoubt(first) : first;
    }
    client.release();
    tx.committed();
    return result;
  }

  /** Units in one transaction, which the caller commits. @param first runs in it before the first unit */
  deferred(first: Unit<void>): DeferredWork {
    return new DeferredWork(this.held, this.database.namesTenants, first);
  }
}
