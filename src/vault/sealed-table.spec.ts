import { describe, expect, it } from '@jest/globals';
import { generateMasterKey, parseKeyRing } from './key-ring-text.js';
import type { KeyVault } from './key-vault.js';
import { SealedRecordsRegistry } from './sealed-records.js';
import { SealedTable, type SealedRows } from './sealed-table.js';
import { KeyVaultUnavailableError, SealedBlobError } from './vault.errors.js';

/** The row for which the vault cannot be asked. */
const UNASKED = 99;

interface Row {
  readonly id: number;
  readonly keyId: string;
}

/** A table in memory. Rows that somebody changed since they were read are not written. */
class Table implements SealedRows<Row> {
  readonly written: Row[] = [];
  readonly changed = new Set<number>();

  constructor(private readonly outdated: Row[]) {}

  countOutdated(): Promise<number> {
    return Promise.resolve(this.outdated.length);
  }

  listOutdated(_keyId: string, limit: number): Promise<Row[]> {
    return Promise.resolve(this.outdated.slice(0, limit));
  }

  replace(rows: readonly { was: Row; is: Row }[]): Promise<number> {
    const unchanged = rows.filter(({ was }) => !this.changed.has(was.id));
    this.written.push(...unchanged.map(({ is }) => is));
    return Promise.resolve(unchanged.length);
  }
}

class Sealed extends SealedTable<Row> {
  readonly name = 'rows.sealed';
  readonly told: number[] = [];

  constructor(
    rows: Table,
    readonly registry: SealedRecordsRegistry,
    readonly vault: KeyVault,
  ) {
    super({ rows, vault, registry });
  }

  protected override opened(rows: readonly Row[]): Promise<void> {
    this.told.push(...rows.map(({ id }) => id));
    return Promise.resolve();
  }

  protected override rewrap(row: Row): Promise<Row> {
    if (row.id < 0) return Promise.reject(new SealedBlobError('not-authentic'));
    if (row.id === UNASKED) return Promise.reject(new KeyVaultUnavailableError('The vault is away.'));
    return Promise.resolve({ ...row, keyId: this.vault.currentKeyId });
  }
}

const vault = parseKeyRing(generateMasterKey());
const sealed = (rows: Table): Sealed => new Sealed(rows, new SealedRecordsRegistry(), vault);

describe('a table with sealed columns', () => {
  it('is known to the rotation once its module has started', () => {
    const table = sealed(new Table([]));
    expect(table.registry.all()).toEqual([]);
    table.onModuleInit();
    expect(table.registry.all()).toEqual([table]);
  });

  it('rewraps a batch', async () => {
    const rows = new Table([1, 2, 3].map((id) => ({ id, keyId: 'old' })));
    const table = sealed(rows);
    expect(await table.count()).toBe(3);
    expect(await table.rewrapBatch(2)).toBe(2);
    expect(rows.written).toEqual([1, 2].map((id) => ({ id, keyId: vault.currentKeyId })));
  });

  it('counts the rows that were written, and not those that somebody changed meanwhile', async () => {
    const rows = new Table([1, 2, 3].map((id) => ({ id, keyId: 'old' })));
    rows.changed.add(2);
    expect(await sealed(rows).rewrapBatch(10)).toBe(2);
  });

  it('writes nothing when others hold all rows', async () => {
    const rows = new Table([]);
    expect(await sealed(rows).rewrapBatch(10)).toBe(0);
    expect(rows.written).toEqual([]);
  });

  it('writes the others of a batch with rows that do not open, and names these', async () => {
    const rows = new Table([1, -2, 3, -4].map((id) => ({ id, keyId: 'old' })));
    const table = sealed(rows);
    await expect(table.rewrapBatch(10)).rejects.toMatchObject({
      name: 'UnopenedRowsError',
      rows: ['id=-2 keyId=old (not-authentic)', 'id=-4 keyId=old (not-authentic)'],
      rewrapped: 2,
    });
    expect(rows.written.map(({ id }) => id)).toEqual([1, 3]);
    expect(table.told).toEqual([1, 3]);
  });

  it('writes nothing of a batch for which the vault cannot be asked', async () => {
    const rows = new Table([1, UNASKED].map((id) => ({ id, keyId: 'old' })));
    const table = sealed(rows);
    await expect(table.rewrapBatch(10)).rejects.toThrow('The vault is away.');
    expect([rows.written, table.told]).toEqual([[], []]);
  });
});
