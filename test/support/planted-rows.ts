import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import pg from 'pg';
import type { TestApp } from './app.js';
import { rowsOf } from './rows.js';
import { tablesOf, type Table } from './tables.js';

interface Column {
  name: string;
  type: string;
  isRequired: boolean;
  hasDefault: boolean;
}
type Values = Record<string, unknown>;

/** A planted row, as its table has it. */
export interface PlantedRow {
  table: string;
  row: Values;
}

const COLUMNS = `
  SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type, a.attnotnull AS "isRequired", a.atthasdef AS "hasDefault"
  FROM pg_attribute a WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`;

/** Column values required by constraints, where arbitrary text would not do. */
const ASKED: Readonly<Record<string, Values>> = {
  analytics_facts: { kind: 'session', chain: '', name: '', system: '' },
  analytics_people: { kind: 'user' },
  ceremony_messages: { sender: 'client' },
  ceremony_rooms: { type: 'threshold', kind: 'keygen', state: 'open' },
  credentials: { format: 'email' },
  delegation_keys: { alg: 'RSA-OAEP-256', type: 'platform' },
  exchange_transfers: { exchange: 'coinbase', state: 'sent' },
  identifier_claims: { kind: 'email' },
  key_share_backups: { location: 'external', master_key_id: null },
  key_share_sets: { scheme: 'TWO_OF_TWO', protocol: 'FROST' },
  mfa_devices: { type: 'totp', sealed_secret: randomBytes(32) },
  ramp_orders: { provider: 'banxa' },
  screening_checks: { result: 'OK' },
  wallet_delegations: { credential_hash: randomBytes(32) },
  wallet_secrets: { kind: 'passcode' },
  wallets: {
    ...{ kind: 'external', chain: 'EVM', provider: 'browserExtension', version: null },
    ...{ additional_addresses: null, public_key: null, derivation_path: null },
  },
};

/** The tables whose rows lead to a user through any number of references, without `users`. */
export function peopleTables(tables: readonly Table[]): Set<string> {
  const reached = new Set(['users']);
  for (let before = 0; before < reached.size;) {
    before = reached.size;
    for (const { name, references } of tables) {
      if (references.some(({ to }) => reached.has(to))) reached.add(name);
    }
  }
  reached.delete('users');
  return reached;
}

/**
 * Gives a person a row in any table that leads to users. Referenced rows are the person's own, or else planted first.
 * Every free text and document contains the marker. Columns are read from the catalogue, so that tables added later are
 * covered.
 */
export class PlantedRows {
  private readonly common = new Map<string, Values>();

  private constructor(
    private readonly test: TestApp,
    private readonly tables: ReadonlyMap<string, Table>,
    private readonly people: ReadonlySet<string>,
    private readonly person: { environmentId: string; userId: string; mark: string },
  ) {}

  static async of(
    test: TestApp,
    person: { environmentId: string; userId: string; mark: string },
  ): Promise<PlantedRows> {
    const tables = await tablesOf(test.databaseUrl);
    const byName = new Map(tables.map((table) => [table.name, table]));
    return new PlantedRows(test, byName, peopleTables(tables), person);
  }

  /** A row in each table that leads to the person and has none of theirs. */
  async everywhere(): Promise<PlantedRow[]> {
    const planted: PlantedRow[] = [];
    for (const table of [...this.people].toSorted()) {
      if (await this.own(table)) continue;
      const row = await this.insert(table, {});
      if (row) planted.push({ table, row });
    }
    return planted;
  }

  /** The tables with remains of it. */
  async leftOf(planted: readonly PlantedRow[]): Promise<string[]> {
    const left: string[] = [];
    for (const { table, row } of planted) {
      const key = this.tables.get(table)!.unique.find(({ isPrimary }) => isPrimary)!.columns as string[];
      const same = key.map((column, at) => `${pg.escapeIdentifier(column)} = $${at + 1}`).join(' AND ');
      const text = `SELECT 1 FROM ${pg.escapeIdentifier(table)} WHERE ${same}`;
      const values = key.map((column) => row[column]);
      if ((await rowsOf(this.test, text, values)).length > 0) left.push(table);
    }
    return left;
  }

  /** @returns the row as the table has it */
  async plant(name: string, more: Values = {}): Promise<Values> {
    const row = await this.insert(name, more);
    if (!row) throw new Error(`The person has such a row of ${name} already.`);
    return row;
  }

  /** Keeps the person's existing row if somebody else was faster. */
  async unlessThere(name: string): Promise<void> {
    await this.insert(name, {});
  }

  /** Null if a constraint prevents a second row. */
  private async insert(name: string, more: Values): Promise<Values | null> {
    const table = this.tables.get(name)!;
    const columns = await rowsOf<Column>(this.test, COLUMNS, [name]);
    const referred = await this.referred(table, columns);
    const values: Values = {};
    for (const column of columns) {
      const given = { ...ASKED[name], ...referred, ...more };
      if (column.name in given) values[column.name] = given[column.name];
      else if (this.isWanted(name, column)) values[column.name] = this.valueOf(name, column);
    }
    const names = Object.keys(values);
    const places = names.map((_, at) => `$${at + 1}`);
    const [row] = await rowsOf<Values>(
      this.test,
      `INSERT INTO ${pg.escapeIdentifier(name)} (${names.map((one) => pg.escapeIdentifier(one)).join(', ')})
       VALUES (${places.join(', ')}) ON CONFLICT DO NOTHING RETURNING *`,
      Object.values(values),
    );
    return row ?? null;
  }

  /** Excludes columns with defaults, and optional times, such as when something ended. */
  private isWanted(table: string, { name, type, isRequired, hasDefault }: Column): boolean {
    if (name === 'environment_id' || name === 'user_id') return true;
    if (isRequired) return !hasDefault || (this.people.has(table) && type.startsWith('text'));
    return this.people.has(table) && ['text', 'text[]', 'jsonb'].includes(type);
  }

  /** Values of the foreign key columns. Optional references are left empty. */
  private async referred({ name, references }: Table, columns: readonly Column[]): Promise<Values> {
    const values: Values = {};
    for (const { to, from, key } of references) {
      const own = from.filter((column) => column !== 'environment_id');
      const isAsked = own.every((column) => columns.find((one) => one.name === column)!.isRequired);
      if (own.length === 0 || to === name || (to !== 'users' && !isAsked)) continue;
      const row = to === 'users' ? { id: this.person.userId } : await this.found(to);
      for (const [at, column] of from.entries()) {
        if (column !== 'environment_id') values[column] = row[key[at]!];
      }
    }
    return values;
  }

  /** The person's oldest row, or a new one; for a table without users, one row shared by all references. */
  private async found(table: string): Promise<Values> {
    const row = (await this.own(table)) ?? this.common.get(table) ?? (await this.plant(table));
    this.common.set(table, row);
    return row;
  }

  /** The person's oldest row; also null if the table has no user column. */
  private async own(table: string): Promise<Values | null> {
    const columns = await rowsOf<Column>(this.test, COLUMNS, [table]);
    const has = (name: string): boolean => columns.some((column) => column.name === name);
    const { environmentId, userId } = this.person;
    if (!has('user_id')) return null;
    const order = has('created_at') ? 'ORDER BY created_at' : '';
    const [row] = await rowsOf<Values>(
      this.test,
      `SELECT * FROM ${pg.escapeIdentifier(table)} WHERE environment_id = $1 AND user_id = $2 ${order} LIMIT 1`,
      [environmentId, userId],
    );
    return row ?? null;
  }

  private valueOf(table: string, { name, type }: Column): unknown {
    const { environmentId, userId, mark } = this.person;
    if (name === 'environment_id') return environmentId;
    if (name === 'user_id') return userId;
    // Letters and digits, as in addresses.
    const end = this.people.has(table) ? name.replaceAll('_', '') : randomBytes(6).toString('hex');
    const text = `${this.people.has(table) ? mark : 'planted'}${end}`;
    switch (type) {
      case 'uuid':
        return randomUUID();
      case 'text':
        return text;
      case 'text[]':
        return [text];
      case 'uuid[]':
        return [userId];
      case 'json':
      case 'jsonb':
        return JSON.stringify({ [name]: text });
      case 'bytea':
        return randomBytes(32);
      case 'bytea[]':
        return [randomBytes(32)];
      case 'boolean':
        return false;
      case 'date':
      case 'timestamp with time zone':
        return new Date(Date.now() + 3_600_000);
      case 'integer':
      case 'bigint':
        // Some are sequence numbers, and this must not be the next.
        return randomInt(1_000_000, 2_000_000_000);
      case 'smallint':
      case 'numeric':
        return 1;
      default:
        throw new Error(`Nobody has said how to plant ${table}.${name}, which is a ${type}.`);
    }
  }
}
