import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import { DeferredWork } from './deferred-work.js';
import { Transaction } from './transaction.js';

const BROKEN = true;

/** The only way to change several rows: all of it commits, or none. */
@Injectable()
export class UnitOfWork {
  constructor(private readonly database: Database) {}

  /**
   * Runs `work` in one transaction (READ COMMITTED), or as a part of that of the request. Never open a second connection
   * inside it.
   */
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const deferred = DeferredWork.ofRequest;
    return deferred?.isArmed ? deferred.join(work) : this.runAlone(work);
  }

  /** What one request does may become one transaction. */
  deferred(): DeferredWork {
    return new DeferredWork(this.database);
  }

  private async runAlone<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await this.database.connect();
    const tx = new Transaction(client, this.database.namesTenants);
    let result: T;
    try {
      tx.send('BEGIN');
      result = await work(tx);
      await tx.finish();
      tx.send('COMMIT');
      await tx.settle();
    } catch (error) {
      // A connection that cannot even roll back is thrown away.
      const broken = await client.query('ROLLBACK').then(
        () => false,
        () => BROKEN,
      );
      client.release(broken);
      // What was sent and failed made everything after it fail.
      await tx.settle();
      throw error;
    }
    client.release();
    tx.committed();
    return result;
  }
}
