import { isDeepStrictEqual } from 'node:util';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import {
  violatedConstraint,
  type EnvironmentId,
  type EventDefinition,
  type Executor,
  type Transaction,
} from '../../database/index.js';
import type { Actor, ChangeLog } from '../../organizations/index.js';
import type { EnabledRules } from '../decisions/enabled-rules.js';
import type { AccessOutcome } from '../outcome.js';

/** What members set of a rule, validated. */
export interface RuleTerms {
  name: string;
  outcome: AccessOutcome;
  scope: string | null;
}

interface Id {
  id: string;
}

/** The rows of one kind of rule. */
export interface RuleRows<Row extends Id, Terms extends RuleTerms> {
  find(environmentId: EnvironmentId, where: Id, on?: Executor): Promise<Row | null>;
  lock(environmentId: EnvironmentId, where: Id, tx: Transaction): Promise<Row | null>;
  /** Null when the limit is reached. */
  insertWithinLimit(environmentId: EnvironmentId, row: Id & Terms, tx: Transaction): Promise<Row | null>;
  update(environmentId: EnvironmentId, where: Id, terms: Omit<Terms, 'scope'>, tx: Transaction): Promise<Row[]>;
  /** Null removes the scope, which `update` cannot do. */
  rescope(environmentId: EnvironmentId, id: string, scope: string | null, tx: Transaction): Promise<void>;
  /** False when it already had that state. */
  switch(environmentId: EnvironmentId, id: string, isEnabled: boolean, tx: Transaction): Promise<boolean>;
  delete(environmentId: EnvironmentId, where: Id, tx: Transaction): Promise<number>;
}

/** What differs between gates and allowlists. */
export interface RuleKind<Row extends Id, Terms extends RuleTerms, Shown extends object> {
  /** Of the resource in the audit trail. */
  type: string;
  events: Readonly<Record<'created' | 'updated' | 'enabled' | 'disabled' | 'deleted', EventDefinition>>;
  /** The unique index of names; it decides between concurrent rules with the same name. */
  nameIndex: string;
  isTaken: (details: { cause: unknown }) => Error;
  isFull: () => Error;
  termsOf: (row: Row) => Terms;
  shown: (row: Row) => Shown;
}

/**
 * The changes that gates and allowlists have in common: each is recorded, and the decisions of this instance follow it
 * at once. All run in the caller's transaction.
 */
export class RecordedRules<Row extends Id, Terms extends RuleTerms, Shown extends object> {
  constructor(
    private readonly kind: RuleKind<Row, Terms, Shown>,
    private readonly rows: RuleRows<Row, Terms>,
    private readonly enabled: EnabledRules,
    private readonly changes: ChangeLog,
  ) {}

  /** A new rule is disabled. @throws the kind's errors of a taken name and of a reached limit */
  async insert(environmentId: EnvironmentId, terms: Terms, actor: Actor, tx: Transaction): Promise<Shown> {
    const row = await this.rows.insertWithinLimit(environmentId, { id: newId(), ...terms }, tx).catch(this.orTaken);
    if (!row) throw this.kind.isFull();
    const after = this.kind.shown(row);
    await this.record(environmentId, row, { event: 'created', before: null, after }, actor, tx);
    return after;
  }

  /** The same terms are no change. @throws notFound, the kind's error of a taken name */
  async replace(environmentId: EnvironmentId, id: string, terms: Terms, actor: Actor, tx: Transaction): Promise<Shown> {
    const { kind } = this;
    const row = await this.locked(environmentId, id, tx);
    if (isDeepStrictEqual(kind.termsOf(row), terms)) return kind.shown(row);
    const { scope, ...others } = terms;
    await this.rows.rescope(environmentId, id, scope, tx);
    const [updated] = await this.rows.update(environmentId, { id }, others, tx).catch(this.orTaken);
    const after = kind.shown(updated!);
    await this.record(environmentId, row, { event: 'updated', before: kind.shown(row), after }, actor, tx);
    return after;
  }

  /** The same state is no change. @throws notFound */
  async switch(
    environmentId: EnvironmentId,
    id: string,
    isEnabled: boolean,
    actor: Actor,
    tx: Transaction,
  ): Promise<Shown> {
    const { kind, rows } = this;
    const row = await this.locked(environmentId, id, tx);
    if (!(await rows.switch(environmentId, id, isEnabled, tx))) return kind.shown(row);
    const after = kind.shown((await rows.find(environmentId, { id }, tx))!);
    const event = isEnabled ? 'enabled' : 'disabled';
    await this.record(environmentId, row, { event, before: kind.shown(row), after }, actor, tx);
    return after;
  }

  /** What belongs to the rule goes with it. @throws notFound */
  async remove(environmentId: EnvironmentId, id: string, actor: Actor, tx: Transaction): Promise<void> {
    const row = await this.locked(environmentId, id, tx);
    await this.rows.delete(environmentId, { id }, tx);
    const before = this.kind.shown(row);
    await this.record(environmentId, row, { event: 'deleted', before, after: null, data: before }, actor, tx);
  }

  private async locked(environmentId: EnvironmentId, id: string, tx: Transaction): Promise<Row> {
    const row = await this.rows.lock(environmentId, { id }, tx);
    if (!row) throw notFound();
    return row;
  }

  private async record(
    environmentId: EnvironmentId,
    { id }: Row,
    { event, ...states }: RuleChange<Shown>,
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    const { events, type } = this.kind;
    const change = { event: events[event], resource: { type, id }, ...states };
    await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    tx.afterCommit(() => this.enabled.forget(environmentId));
  }

  private readonly orTaken = (error: unknown): never => {
    throw violatedConstraint(error) === this.kind.nameIndex ? this.kind.isTaken({ cause: error }) : error;
  };
}

interface RuleChange<Shown> {
  event: keyof RuleKind<Id, RuleTerms, object>['events'];
  before: Shown | null;
  after: Shown | null;
  data?: object;
}
