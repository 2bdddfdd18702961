import type { OnModuleInit } from '@nestjs/common';
import type { KeyVault } from './key-vault.js';
import { SealedRecords, type SealedRecordsRegistry } from './sealed-records.js';
import { SealedBlobError, UnopenedRowsError } from './vault.errors.js';

/** What the repository of a table with sealed columns offers to the rotation of the master key. */
export interface SealedRows<Row> {
  countOutdated(currentKeyId: string): Promise<number>;
  /** At most `limit` rows under another master key, without those that others hold. */
  listOutdated(currentKeyId: string, limit: number): Promise<Row[]>;
  /** Writes the rows that are still as they were read. @returns how many there were */
  replace(rows: readonly { was: Row; is: Row }[]): Promise<number>;
}

/** Rows rewrapped concurrently; few, because the vault also serves requests and may be rate limited. */
const AT_ONCE = 16;

interface Parts<Row> {
  readonly rows: SealedRows<Row>;
  readonly vault: KeyVault;
  readonly registry: SealedRecordsRegistry;
}

/**
 * A table with sealed columns: the owning context only says how to rewrap one row. No locks are held meanwhile, since the
 * vault may be remote: if a row is changed concurrently, the rewrapped one is discarded and read again.
 */
export abstract class SealedTable<Row> extends SealedRecords implements OnModuleInit {
  constructor(private readonly parts: Parts<Row>) {
    super();
  }

  onModuleInit(): void {
    this.parts.registry.register(this);
  }

  override count(): Promise<number> {
    const { rows, vault } = this.parts;
    return rows.countOutdated(vault.currentKeyId);
  }

  override async rewrapBatch(limit: number): Promise<number> {
    const { rows, vault } = this.parts;
    const outdated = await rows.listOutdated(vault.currentKeyId, limit);
    if (outdated.length === 0) return 0;
    const resealed: { was: Row; is: Row }[] = [];
    const unopened: string[] = [];
    const reseal = async (was: Row): Promise<void> => {
      try {
        resealed.push({ was, is: await this.rewrap(was) });
      } catch (error) {
        // One damaged row must not keep all others under a key that may have leaked.
        if (!(error instanceof SealedBlobError)) throw error;
        unopened.push(`${nameOf(was)} (${error.reason})`);
      }
    };
    for (let from = 0; from < outdated.length; from += AT_ONCE) {
      await Promise.all(outdated.slice(from, from + AT_ONCE).map(reseal));
    }
    const written = resealed.length === 0 ? 0 : await this.write(resealed);
    if (unopened.length > 0) throw new UnopenedRowsError(unopened.sort(), written);
    return written;
  }

  private async write(resealed: readonly { was: Row; is: Row }[]): Promise<number> {
    await this.opened?.(resealed.map(({ was }) => was));
    return this.parts.rows.replace(resealed);
  }

  /** Called with the rewrapped rows before any of them is written. */
  protected opened?(rows: readonly Row[]): Promise<void>;

  /** @returns the row with its columns sealed under the current master key, which it names */
  protected abstract rewrap(row: Row): Promise<Row>;
}

/** The columns that identify a row: all but the sealed ones and the name of the master key. */
const nameOf = (row: unknown): string =>
  Object.entries(row as object)
    .filter(([name, value]) => name !== 'masterKeyId' && value !== null && !(value instanceof Uint8Array))
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
