import type { Column, EntityClass } from './columns.js';
import type { Beside, Form, ListForm, Order, Pair, Place, Related, Scalar } from './form.js';

/** A value derived from a row of E: a column, or a result of the methods of `Rows` and `BesideRows`. */
export type Shape<E> = Column<E> | Formed<E>;
export type Fields<E> = Readonly<Record<string, Shape<E>>>;

/** Matches any value except null. */
export const PRESENT = Symbol('present');
type Wanted<V> = Extract<V, Scalar> | readonly Extract<V, Scalar>[] | typeof PRESENT;

/** All conditions must hold; null matches a column without a value. */
export type Where<E> = { readonly [K in Column<E>]?: Wanted<E[K]> };
export type Condition<E> = Where<E> | Formed<E>;

/** Columns of the rows F with the columns of E that they must equal; for a list, any one of them. */
export type By<E, F> = { readonly [K in Column<F>]?: Column<E> | readonly Column<E>[] };

declare const row: unique symbol;
/** More than a column. Created only in this file. */
export class Formed<E> {
  declare readonly [row]: (of: E) => void;
  constructor(readonly form: Form) {}
}

/** The same for every row. */
export const constant = (value: Scalar): Formed<unknown> => new Formed({ kind: 'constant', value });

/** Rows exposed as the list of what one context stores about another's record. */
export interface SubjectTerms<E> {
  /** The column that names the record. */
  readonly subject: Column<E>;
  /** The form of each row. */
  readonly fields: Fields<E> | Formed<E>;
  readonly where?: Condition<E>;
  /** Descending with a leading minus. */
  readonly order: readonly (Column<E> | `-${Column<E>}`)[];
  /** The maximum number of rows read per record. */
  readonly most?: number;
}

/** A context's description of its rows for another that reads them with its own: names and values, no SQL. */
export interface SubjectRows {
  readonly entity: EntityClass;
  readonly subject: string;
  readonly where: Form | null;
  readonly list: Omit<ListForm, 'rows'>;
}

/** Rows of one table. Columns not listed are never exposed. */
export class Rows<E extends object> {
  constructor(
    private readonly entity: EntityClass,
    private readonly columns: ReadonlySet<string> | null,
  ) {}

  /** @param alias their alias in the statement, unique within it */
  beside<F extends object>(alias: string, rows: Rows<F>, by: By<E, F>): BesideRows<E, F> {
    return new BesideRows({ entity: rows.entity, alias, by: rows.pairs(by) }, rows);
  }

  fields(fields: Fields<E>): Formed<E> {
    return new Formed({ kind: 'fields', fields: this.forms(fields), sparse: false });
  }

  /** Omits null fields; null if all of them are null. */
  sparse(fields: Fields<E>): Formed<E> {
    return new Formed({ kind: 'fields', fields: this.forms(fields), sparse: true });
  }

  when(condition: Condition<E>, then: Shape<E>): Formed<E> {
    return new Formed({ kind: 'when', condition: this.condition(condition), then: this.form(then) });
  }

  /** Null if the column equals the value. */
  unless<K extends Column<E>>(column: K, value: Extract<E[K], Scalar>): Formed<E> {
    return new Formed({ kind: 'unless', place: this.place(column), value });
  }

  isSet(column: Column<E>): Formed<E> {
    return new Formed({ kind: 'isSet', place: this.place(column), set: true });
  }

  /** A time to the millisecond, in UTC. */
  moment(column: Column<E>): Formed<E> {
    return new Formed({ kind: 'moment', place: this.place(column) });
  }

  /** Whether such a row exists; can also be used as a condition. */
  has<F extends object>(rows: Rows<F>, by: By<E, F>, where?: Condition<F>): Formed<E> {
    return new Formed({ kind: 'has', rows: rows.related(by, where) });
  }

  one<F extends object>(rows: Rows<F>, by: By<E, F>, then: Shape<F>): Formed<E> {
    return new Formed({ kind: 'one', rows: rows.related(by), then: rows.form(then) });
  }

  any(...conditions: Condition<E>[]): Formed<E> {
    return new Formed({ kind: 'any', of: conditions.map((one) => this.condition(one)) });
  }

  /** The list described by another context for the record that this row is; null if it is empty. */
  listOf({ entity, subject, where, list }: SubjectRows): Formed<E> {
    return new Formed({ ...list, rows: { entity, by: [{ column: subject, of: ['id'] }], where } });
  }

  /** Describes these rows for another context, which reads them with its own. */
  listed({ subject, fields, where, order, most }: SubjectTerms<E>): SubjectRows {
    const shown = fields instanceof Formed ? fields : this.fields(fields);
    return {
      entity: this.entity,
      subject: this.checked(subject),
      where: where ? this.condition(where) : null,
      list: { kind: 'list', order: order.map((text) => this.order(text)), most: most ?? null, then: shown.form },
    };
  }

  form(shape: Shape<E>): Form {
    return shape instanceof Formed ? shape.form : { kind: 'column', place: this.place(shape) };
  }

  condition(condition: Condition<E>, beside: Beside | null = null): Form {
    if (condition instanceof Formed) return condition.form;
    const wanted = Object.entries(condition) as [string, Wanted<Scalar>][];
    return {
      kind: 'all',
      of: wanted.map(([column, value]) => comparison({ column: this.checked(column), beside }, value)),
    };
  }

  checked(column: string): string {
    if (this.columns && !this.columns.has(column)) throw new Error(`${this.entity.name} does not show ${column}.`);
    return column;
  }

  private forms(fields: Fields<E>): Record<string, Form> {
    return Object.fromEntries(Object.entries(fields).map(([name, shape]) => [name, this.form(shape)]));
  }

  private place(column: string): Place {
    return { column: this.checked(column), beside: null };
  }

  private order(text: string): Order {
    const descending = text.startsWith('-');
    return { column: this.checked(descending ? text.slice(1) : text), descending };
  }

  private related<G>(by: By<G, E>, where?: Condition<E>): Related {
    return { entity: this.entity, by: this.pairs(by), where: where ? this.condition(where) : null };
  }

  private pairs<G>(by: By<G, E>): Pair[] {
    const entries = Object.entries(by) as [string, string | readonly string[]][];
    return entries.map(([column, of]) => ({ column: this.checked(column), of: typeof of === 'string' ? [of] : of }));
  }
}

/** Rows of F joined to those of E. */
export class BesideRows<E, F extends object> {
  constructor(
    private readonly beside: Beside,
    private readonly rows: Rows<F>,
  ) {}

  column(column: Column<F>): Formed<E> {
    return new Formed({ kind: 'column', place: { column: this.rows.checked(column), beside: this.beside } });
  }

  is(condition: Where<F>): Formed<E> {
    return new Formed(this.rows.condition(condition, this.beside));
  }
}

/** @param columns those that may be exposed; all if none are given */
export const rowsOf = <E extends object, K extends Column<E> = Column<E>>(
  entity: EntityClass<E>,
  ...columns: K[]
): Rows<Pick<E, K>> => new Rows(entity, columns.length > 0 ? new Set(columns) : null);

function comparison(place: Place, wanted: Wanted<Scalar>): Form {
  if (wanted === PRESENT || wanted === null) return { kind: 'isSet', place, set: wanted !== null };
  return { kind: 'isOneOf', place, values: Array.isArray(wanted) ? (wanted as readonly Scalar[]) : [wanted as Scalar] };
}
