import type { EntityTarget, ObjectLiteral } from 'typeorm';
import type { Database } from './database.js';
import type { Executor } from './executor.js';
import { RowMapper } from './row-mapper.js';
import type { EnvironmentId, OrganizationId } from './scope.js';
import { generatedStatement, type Statement } from './statement.js';
import { lockTenant } from './tenant-lock.js';
import type { Transaction } from './transaction.js';

type Values<E> = { [K in keyof E]?: E[K] };
type ScopeKey = 'environmentId' | 'organizationId';

/** Equality on some properties; the scope is never among them, and undefined or null never reach SQL. */
export type Where<E, S extends ScopeKey> = { [K in Exclude<keyof E, S>]?: NonNullable<E[K]> } & { [K in S]?: never };
export type Insert<E, S extends ScopeKey> = Values<Omit<E, S>> & { [K in S]?: never };

/** The tenant of a record, as returned by an `OwnerResolver`. */
export type Owner<S extends ScopeKey> = { [K in S]: string };

/** Counts the statements of all repositories, so that two on one table get different names. */
let made = 0;

interface ListOptions<E> {
  orderBy?: keyof E & string;
  descending?: boolean;
  limit: number;
}

/**
 * Rows of one kind, accessible only with a scope. Statements are built once per shape from the entity's columns and
 * prepared under a name; anything beyond equality goes through `scopedStatement`.
 */
abstract class TenantRepository<
  E extends ObjectLiteral,
  S extends ScopeKey,
  Scope extends EnvironmentId | OrganizationId,
> {
  private readonly statements = new Map<string, Statement>();
  private lazyMapper: RowMapper | undefined;

  constructor(
    protected readonly database: Database,
    private readonly entity: EntityTarget<E>,
    private readonly scopeKey: S,
  ) {}

  async find(scope: Scope, where: Where<E, S>, on: Executor = this.database): Promise<E | null> {
    return (await this.list(scope, where, { limit: 1 }, on))[0] ?? null;
  }

  async list(scope: Scope, where: Where<E, S>, options: ListOptions<E>, on: Executor = this.database): Promise<E[]> {
    const keys = this.keysOf(where);
    const { orderBy, descending = false, limit } = options;
    const statement = this.prepare(`list:${keys.join()}:${orderBy ?? ''}:${descending}`, (mapper) => {
      const order = orderBy ? ` ORDER BY ${mapper.column(orderBy)}${descending ? ' DESC' : ''}` : '';
      return `SELECT ${mapper.selection} FROM ${mapper.table} WHERE ${this.matching(keys)}${order} LIMIT $${keys.length + 2}`;
    });
    return on.rows<E>(statement, [scope, ...this.valuesOf(where, keys), limit]);
  }

  /**
   * Locks the row until the transaction ends, so that the recorded previous state is what the change replaced. Does not
   * block inserts of rows that refer to it.
   */
  async lock(scope: Scope, where: Where<E, S>, on: Transaction): Promise<E | null> {
    const keys = this.keysOf(where);
    const statement = this.prepare(
      `lock:${keys.join()}`,
      (mapper) =>
        `SELECT ${mapper.selection} FROM ${mapper.table} WHERE ${this.matching(keys)} LIMIT 1 FOR NO KEY UPDATE`,
    );
    return (await on.rows<E>(statement, [scope, ...this.valuesOf(where, keys)]))[0] ?? null;
  }

  /**
   * The same for a row that may get another unique name: two calls that give two rows each other's names would
   * otherwise wait for each other.
   */
  async lockToRename(scope: Scope, where: Where<E, S>, on: Transaction): Promise<E | null> {
    await this.lockTenant(scope, on);
    return this.lock(scope, where, on);
  }

  /**
   * The owner of a record, for a path that contains only its id: searched among a member's tenants, and nowhere else.
   * Null if there is none, or the id exists in two of them.
   */
  async findOwner(id: string, userId: string): Promise<Owner<S> | null> {
    const [owner, another] = await this.findOwners(id, userId);
    return owner && !another ? owner : null;
  }

  /** The same, and if the id exists in several of them, two of those. */
  findOwners(id: string, userId: string): Promise<Owner<S>[]> {
    return this.database.rows<Owner<S>>(this.ownerStatement(), [id, userId]);
  }

  /**
   * Serialises writers of this table in one tenant until the transaction ends, so that their counts stay valid. Locks
   * no row, and only blocks callers of this method.
   */
  protected async lockTenant(scope: Scope, on: Transaction): Promise<void> {
    await lockTenant(this.mapper.table.slice(1, -1), scope, on);
  }

  async insert(scope: Scope, values: Insert<E, S>, on: Transaction): Promise<E> {
    const [row] = await this.insertAll(scope, [values], '', on);
    return row as E;
  }

  /** Inserts unless a unique constraint says that the row exists; then returns null. The constraint decides races. */
  async insertIfAbsent(scope: Scope, values: Insert<E, S>, on: Transaction): Promise<E | null> {
    return (await this.insertAll(scope, [values], ' ON CONFLICT DO NOTHING', on))[0] ?? null;
  }

  /**
   * Inserts while the tenant has fewer than `most` rows; null once the limit is reached. Writers queue, so that counts
   * are exact. A unique violation also returns null, or is thrown for callers that must distinguish the two.
   */
  async insertIfRoom(
    most: number,
    scope: Scope,
    values: Insert<E, S>,
    on: Transaction,
    ifPresent: 'null' | 'throw' = 'null',
  ): Promise<E | null> {
    await this.lockTenant(scope, on);
    const keys = Object.keys(values).filter((key) => values[key as keyof typeof values] !== undefined);
    this.assertWithinScope(keys);
    const conflict = ifPresent === 'null' ? ' ON CONFLICT DO NOTHING' : '';
    const statement = this.prepare(`insertIfRoom:${ifPresent}:${keys.join()}`, (mapper) => {
      const columns = [mapper.column(this.scopeKey), ...keys.map((key) => mapper.column(key))];
      const parameters = columns.map((_, at) => `$${at + 1}`).join(', ');
      const count = `SELECT count(*) FROM ${mapper.table} WHERE ${this.matching([])}`;
      return (
        `INSERT INTO ${mapper.table} (${columns.join(', ')}) SELECT ${parameters} ` +
        `WHERE (${count}) < $${columns.length + 1}${conflict} RETURNING ${mapper.selection}`
      );
    });
    return (await on.rows<E>(statement, [scope, ...this.valuesOf(values, keys), most]))[0] ?? null;
  }

  /** Locks all rows of the tenant until the transaction ends; `insertIfRoom` adds none meanwhile. */
  async lockEvery(scope: Scope, orderBy: keyof E & string, on: Transaction): Promise<E[]> {
    await this.lockTenant(scope, on);
    const statement = this.prepare(
      `lockEvery:${orderBy}`,
      (mapper) =>
        `SELECT ${mapper.selection} FROM ${mapper.table} WHERE ${this.matching([])} ORDER BY ${mapper.column(orderBy)} FOR NO KEY UPDATE`,
    );
    return on.rows<E>(statement, [scope]);
  }

  /** Inserts several rows of one shape in one statement. */
  async insertMany(scope: Scope, rows: readonly Insert<E, S>[], on: Transaction): Promise<E[]> {
    return rows.length === 0 ? [] : this.insertAll(scope, rows, '', on);
  }

  async update(scope: Scope, where: Where<E, S>, set: Insert<E, S>, on: Executor): Promise<E[]> {
    const keys = this.keysOf(where);
    const changes = Object.keys(set).filter((key) => set[key as keyof typeof set] !== undefined);
    this.assertWithinScope(changes);
    const statement = this.prepare(`update:${keys.join()}:${changes.join()}`, (mapper) => {
      const assignments = changes.map((key, at) => `${mapper.column(key)} = $${keys.length + 2 + at}`);
      if (mapper.has('updatedAt') && !changes.includes('updatedAt')) assignments.push('"updated_at" = now()');
      return `UPDATE ${mapper.table} SET ${assignments.join(', ')} WHERE ${this.matching(keys)} RETURNING ${mapper.selection}`;
    });
    return on.rows<E>(statement, [scope, ...this.valuesOf(where, keys), ...this.valuesOf(set, changes)]);
  }

  async delete(scope: Scope, where: Where<E, S>, on: Executor): Promise<number> {
    const keys = this.keysOf(where);
    const statement = this.prepare(
      `delete:${keys.join()}`,
      (mapper) => `DELETE FROM ${mapper.table} WHERE ${this.matching(keys)}`,
    );
    return on.execute(statement, [scope, ...this.valuesOf(where, keys)]);
  }

  private insertAll(scope: Scope, rows: readonly Insert<E, S>[], conflict: string, on: Transaction): Promise<E[]> {
    const given = new Set(rows.flatMap((row) => Object.keys(row)));
    const keys = [...given].filter((key) => rows.some((row) => row[key as keyof typeof row] !== undefined));
    this.assertWithinScope(keys);
    const statement = this.prepare(`insert:${rows.length}:${keys.join()}:${conflict}`, (mapper) => {
      const columns = [mapper.column(this.scopeKey), ...keys.map((key) => mapper.column(key))];
      const tuples = rows.map((_, row) => `($1${keys.map((_key, at) => `, $${2 + row * keys.length + at}`).join('')})`);
      return `INSERT INTO ${mapper.table} (${columns.join(', ')}) VALUES ${tuples.join(', ')}${conflict} RETURNING ${mapper.selection}`;
    });
    return on.rows<E>(statement, [scope, ...rows.flatMap((row) => this.valuesOf(row, keys, null))]);
  }

  /** Memberships define which tenants a caller knows, so this layer reads them although they belong to a context. */
  private ownerStatement(): Statement {
    return this.prepare('owner', (mapper) => {
      const isLive = mapper.has('deletedAt') ? ' AND r.deleted_at IS NULL' : '';
      const ofOrganization =
        `SELECT r.organization_id AS "organizationId" FROM members m ` +
        `JOIN ${mapper.table} r ON r.organization_id = m.organization_id AND r.id = $1${isLive} WHERE m.user_id = $2 LIMIT 2`;
      const ofEnvironment =
        `SELECT r.environment_id AS "environmentId" FROM members m ` +
        `JOIN environments e ON e.organization_id = m.organization_id AND e.deleted_at IS NULL ` +
        `JOIN ${mapper.table} r ON r.environment_id = e.id AND r.id = $1${isLive} WHERE m.user_id = $2 LIMIT 2`;
      return this.scopeKey === 'environmentId' ? ofEnvironment : ofOrganization;
    });
  }

  private matching(keys: readonly string[]): string {
    const { mapper } = this;
    return [this.scopeKey as string, ...keys].map((key, at) => `${mapper.column(key)} = $${at + 1}`).join(' AND ');
  }

  private keysOf(where: Where<E, S>): string[] {
    const keys = Object.keys(where);
    this.assertWithinScope(keys);
    for (const key of keys) {
      const value = where[key as keyof typeof where] as unknown;
      if (value === undefined || value === null) throw new Error(`A condition on ${key} has no value.`);
    }
    return keys;
  }

  /** The types reject the scope among values only in literals; a wider object must not move a row to another tenant. */
  private assertWithinScope(keys: readonly string[]): void {
    if (keys.includes(this.scopeKey)) throw new Error(`${this.scopeKey} comes from the scope alone.`);
  }

  private valuesOf(source: object, keys: readonly string[], absent?: null): unknown[] {
    return keys.map((key) => {
      const value = (source as Record<string, unknown>)[key];
      return this.mapper.value(key, value === undefined ? absent : value);
    });
  }

  private prepare(shape: string, write: (mapper: RowMapper) => string): Statement {
    let statement = this.statements.get(shape);
    if (!statement) {
      // Statement names are shared by all connections of the process.
      const name = `${this.mapper.aggregate}.${shape.split(':')[0]}${++made}`;
      this.statements.set(
        shape,
        (statement = generatedStatement(name, write(this.mapper), shape === 'owner' ? 'crossing' : 'tenant')),
      );
    }
    return statement;
  }

  private get mapper(): RowMapper {
    return (this.lazyMapper ??= new RowMapper(this.database.metadataOf(this.entity)));
  }
}

/** Rows of an environment. */
export abstract class ScopedRepository<E extends ObjectLiteral & { environmentId: string }> extends TenantRepository<
  E,
  'environmentId',
  EnvironmentId
> {
  constructor(database: Database, entity: EntityTarget<E>) {
    super(database, entity, 'environmentId');
  }
}

/** Rows of an organization. */
export abstract class OrganizationRepository<
  E extends ObjectLiteral & { organizationId: string },
> extends TenantRepository<E, 'organizationId', OrganizationId> {
  constructor(database: Database, entity: EntityTarget<E>) {
    super(database, entity, 'organizationId');
  }
}
