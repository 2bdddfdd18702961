import type { OnModuleInit } from '@nestjs/common';
import type { KeyVault } from './key-vault.js';
import { SealedRecords, type SealedRecordsRegistry } from './sealed-records.js';

/** What the repository of a table with sealed columns offers to the rotation of the master key. */
export interface SealedRows<Tx, Row, Rewrapped> {
  countOutdated(currentKeyId: string): Promise<number>;
  /** Locks at most `limit` rows under another master key and passes over those that others hold. */
  lockOutdated(currentKeyId: string, limit: number, tx: Tx): Promise<Row[]>;
  /** @returns how many rows were written */
  replace(rows: readonly Rewrapped[], tx: Tx, currentKeyId: string): Promise<number>;
}

interface Parts<Tx, Row, Rewrapped> {
  readonly rows: SealedRows<Tx, Row, Rewrapped>;
  readonly vault: KeyVault;
  /** Runs work in one transaction. */
  readonly work: { run<T>(work: (tx: Tx) => Promise<T>): Promise<T> };
  readonly registry: SealedRecordsRegistry;
}

/** A table with sealed columns: the context that owns it says how one row is rewrapped, and nothing else. */
export abstract class SealedTable<Tx, Row, Rewrapped = Row> extends SealedRecords implements OnModuleInit {
  constructor(private readonly parts: Parts<Tx, Row, Rewrapped>) {
    super();
  }

  onModuleInit(): void {
    this.parts.registry.register(this);
  }

  override count(): Promise<number> {
    const { rows, vault } = this.parts;
    return rows.countOutdated(vault.currentKeyId);
  }

  override rewrapBatch(limit: number): Promise<number> {
    const { rows, vault, work } = this.parts;
    return work.run(async (tx) => {
      const outdated = await rows.lockOutdated(vault.currentKeyId, limit, tx);
      if (outdated.length === 0) return 0;
      const rewrapped = await Promise.all(outdated.map((row) => this.rewrap(row)));
      return rows.replace(rewrapped, tx, vault.currentKeyId);
    });
  }

  /** @returns the row with its columns sealed under the current master key */
  protected abstract rewrap(row: Row): Promise<Rewrapped>;
}
