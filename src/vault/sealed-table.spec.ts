import { describe, expect, it } from '@jest/globals';
import { generateMasterKey, parseKeyRing } from './key-ring-text.js';
import type { KeyVault } from './key-vault.js';
import { SealedRecordsRegistry } from './sealed-records.js';
import { SealedTable, type SealedRows } from './sealed-table.js';

interface Row {
  readonly id: number;
  readonly keyId: string;
}

/** A table in memory whose transactions are numbered. */
class Table implements SealedRows<number, Row, Row> {
  readonly written: { rows: readonly Row[]; tx: number; keyId: string }[] = [];

  constructor(private readonly outdated: Row[]) {}

  countOutdated(): Promise<number> {
    return Promise.resolve(this.outdated.length);
  }

  lockOutdated(_keyId: string, limit: number): Promise<Row[]> {
    return Promise.resolve(this.outdated.slice(0, limit));
  }

  replace(rows: readonly Row[], tx: number, keyId: string): Promise<number> {
    this.written.push({ rows, tx, keyId });
    return Promise.resolve(rows.length);
  }
}

class Sealed extends SealedTable<number, Row> {
  readonly name = 'rows.sealed';

  constructor(
    rows: Table,
    readonly registry: SealedRecordsRegistry,
    readonly vault: KeyVault,
  ) {
    let transactions = 0;
    super({ rows, vault, registry, work: { run: (work) => work(++transactions) } });
  }

  protected override rewrap(row: Row): Promise<Row> {
    if (row.id < 0) return Promise.reject(new Error('does not open'));
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

  it('rewraps a batch in one transaction', async () => {
    const rows = new Table([1, 2, 3].map((id) => ({ id, keyId: 'old' })));
    const table = sealed(rows);
    expect(await table.count()).toBe(3);
    expect(await table.rewrapBatch(2)).toBe(2);
    const keyId = vault.currentKeyId;
    expect(rows.written).toEqual([{ rows: [1, 2].map((id) => ({ id, keyId })), tx: 1, keyId }]);
  });

  it('writes nothing when others hold all rows', async () => {
    const rows = new Table([]);
    expect(await sealed(rows).rewrapBatch(10)).toBe(0);
    expect(rows.written).toEqual([]);
  });

  it('writes nothing of a batch with a row that does not open', async () => {
    const rows = new Table([1, -2].map((id) => ({ id, keyId: 'old' })));
    await expect(sealed(rows).rewrapBatch(10)).rejects.toThrow('does not open');
    expect(rows.written).toEqual([]);
  });
});
