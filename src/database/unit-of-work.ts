import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import { DeferredWork } from './deferred-work.js';
import { HeldConnections } from './held-connections.js';
import { Transaction } from './transaction.js';
import type { Unit, Work } from './work.js';

const BROKEN = true;

/** The only way to change several rows: all of it commits, or none. */
@Injectable()
export class UnitOfWork implements Work {
  private readonly held: HeldConnections;

  constructor(private readonly database: Database) {
    this.held = new HeldConnections(database);
  }

  /** Runs `work` in one transaction of its own (READ COMMITTED). Never open a second connection inside it. */
  async run<T>(work: Unit<T>): Promise<T> {
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

  /** Units that become one transaction, committed by whoever asks for it. @param first runs in it before the first of them */
  deferred(first: Unit<void>): DeferredWork {
    return new DeferredWork(this.held, this.database.namesTenants, first);
  }
}
