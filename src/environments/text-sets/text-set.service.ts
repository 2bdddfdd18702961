import type { EnvironmentId } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import {
  duplicateExists,
  type EnvironmentEntity,
  type EventDefinition,
  type Transaction,
  type UnitOfWork,
  type Where,
} from '../../database/index.js';
import type { Actor, ChangeLog } from '../../organizations/index.js';
import type { TextSetRepository } from './text-set.repository.js';

/** What distinguishes one kind of set from another, for clients, the audit trail and subscribers. */
export interface TextSetTerms<Row, Shown> {
  most: number;
  tooMany: () => Error;
  /** Its resource type in the audit trail, and the field that contains the text in a deletion's event. */
  resource: string;
  field: string;
  created: EventDefinition;
  deleted: EventDefinition;
  shown: (row: Row) => Shown;
}

/** A limited set of strings of an environment, one per row. */
export abstract class TextSetService<Row extends EnvironmentEntity, Shown extends object> {
  protected abstract readonly terms: TextSetTerms<Row, Shown>;

  constructor(
    protected readonly texts: TextSetRepository<Row>,
    protected readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  get most(): number {
    return this.terms.most;
  }

  async delete(environmentId: EnvironmentId, id: string, actor: Actor): Promise<void> {
    await this.work.run((tx) => this.remove(environmentId, id, actor, tx));
  }

  protected async all(environmentId: EnvironmentId): Promise<Shown[]> {
    const rows = await this.texts.list(environmentId, {}, { orderBy: 'id', limit: this.terms.most });
    return rows.map(this.terms.shown);
  }

  /** The caller provides the transaction and parsed text. @throws duplicateExists, `tooMany` of the terms */
  async insert(environmentId: EnvironmentId, text: string, actor: Actor, tx: Transaction): Promise<Shown> {
    const { most, tooMany, resource: type, created, shown } = this.terms;
    const row = await this.texts.add(most, environmentId, newId(), text, tx);
    if (!row) throw (await this.texts.has(environmentId, text, tx)) ? duplicateExists() : tooMany();
    const after = shown(row);
    const change = { event: created, resource: { type, id: row.id }, before: null, after };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    this.changed(environmentId, tx);
    return after;
  }

  /** Runs in the caller's transaction. @throws notFound */
  async remove(environmentId: EnvironmentId, id: string, actor: Actor, tx: Transaction): Promise<void> {
    const { resource: type, field, deleted, shown } = this.terms;
    const one = { id } as Where<Row, 'environmentId'>;
    const row = await this.texts.lock(environmentId, one, tx);
    if (!row || (await this.texts.delete(environmentId, one, tx)) === 0) throw notFound();
    const [before, data] = [shown(row), { id, [field]: this.texts.textOf(row) }];
    const change = { event: deleted, resource: { type, id }, before, after: null, data };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    this.changed(environmentId, tx);
  }

  /** For subclasses that cache the set. */
  protected changed(_environmentId: EnvironmentId, _tx: Transaction): void {
    // Most sets are not cached.
  }
}
