import { EnvironmentEntity } from '../base.entities.js';
import { columnOf, tableOf, type EntityClass } from './columns.js';
import type { Beside, Form, ListForm, Pair, Place, Related, Scalar } from './form.js';
import type { Formed, SubjectRows } from './rows.js';

/** The row a form describes: the entity that names its columns, and its alias in the statement. */
interface At {
  readonly entity: EntityClass;
  readonly alias: string;
  /** Nesting depth; nested rows get aliases of their own. */
  readonly depth: number;
}

/**
 * The SQL expression for a form of one row. It consists only of entities' table and column names and of literals.
 *
 * @param alias the row's alias in the enclosing statement
 */
export function jsonOf<E extends object>({ form }: Formed<E>, entity: EntityClass<E>, alias: string): string {
  const at = { entity, alias, depth: 0 };
  const joins = joinsOf([form], at);
  return joins === '' ? compose(form, at) : `(SELECT ${compose(form, at)} FROM (SELECT) AS itself${joins})`;
}

/** The list of rows that belong to the row `alias`, of any table of environments; empty if there are none. */
export function listJsonOf({ entity, subject, where, list }: SubjectRows, alias: string): string {
  const rows = { entity, by: [{ column: subject, of: ['id'] }], where };
  return `coalesce(${listOf({ ...list, rows }, { entity: EnvironmentEntity, alias, depth: 0 })}, '[]'::json)`;
}

function compose(form: Form, at: At): string {
  switch (form.kind) {
    case 'column':
      return placeOf(form.place, at);
    case 'constant':
      return literal(form.value);
    case 'unless':
      return `nullif(${placeOf(form.place, at)}, ${literal(form.value)})`;
    case 'moment':
      return `to_char(${placeOf(form.place, at)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
    case 'isSet':
      return `${placeOf(form.place, at)} IS ${form.set ? 'NOT NULL' : 'NULL'}`;
    case 'isOneOf':
      return `${placeOf(form.place, at)} IN (${form.values.map(literal).join(', ')})`;
    case 'all':
    case 'any':
      return joined(form.of, form.kind === 'all' ? ' AND ' : ' OR ', at);
    case 'when':
      return `CASE WHEN ${compose(form.condition, at)} THEN ${compose(form.then, at)} END`;
    case 'fields':
      return objectOf(form, at);
    case 'has':
      return existsOf(form.rows, at);
    case 'one':
      return oneOf(form.rows, form.then, at);
    case 'list':
      return listOf(form, at);
  }
}

const joined = (forms: readonly Form[], word: string, at: At): string =>
  forms.length === 0 ? 'true' : `(${forms.map((one) => compose(one, at)).join(word)})`;

function objectOf({ fields, sparse }: Extract<Form, { kind: 'fields' }>, at: At): string {
  const entries = Object.entries(fields).map(([name, form]) => `${literal(name)}, ${compose(form, at)}`);
  const json = `json_build_object(${entries.join(', ')})`;
  return sparse ? `nullif(json_strip_nulls(${json})::text, '{}')::json` : json;
}

function existsOf(rows: Related, at: At): string {
  const inner = within(rows, at);
  return `EXISTS (SELECT ${from(rows, inner)} WHERE ${related(rows, inner, at)})`;
}

function oneOf(rows: Related, then: Form, at: At): string {
  const inner = within(rows, at);
  return `(SELECT ${compose(then, inner)} ${from(rows, inner, then)} WHERE ${related(rows, inner, at)})`;
}

function listOf({ rows, order, most, then }: ListForm, at: At): string {
  const inner = within(rows, at);
  const where = `WHERE ${related(rows, inner, at)}`;
  const sorted = order
    .map(({ column, descending }) => `${inner.alias}.${columnOf(inner.entity, column)}${descending ? ' DESC' : ''}`)
    .join(', ');
  const few = `${from(rows, inner)} ${where} ORDER BY ${sorted} LIMIT ${Number(most)}`;
  const source =
    most === null
      ? `${from(rows, inner, then)} ${where}`
      : `FROM (SELECT ${inner.alias}.* ${few}) AS ${inner.alias}${joinsOf([then], inner)}`;
  return `(SELECT json_agg(${compose(then, inner)} ORDER BY ${sorted}) ${source})`;
}

const within = ({ entity }: Related, { depth }: At): At => ({ entity, alias: `r${depth + 1}`, depth: depth + 1 });

/** Includes the joined rows that their condition and their form need. */
const from = ({ entity, where }: Related, at: At, then: Form | null = null): string =>
  `FROM ${tableOf(entity)} AS ${at.alias}${joinsOf([where, then], at)}`;

const related = ({ by, where }: Related, inner: At, at: At): string =>
  [...matches(by, inner, at), ...(where ? [compose(where, inner)] : [])].join(' AND ');

/** Always within the same environment, besides the given columns. */
function matches(by: readonly Pair[], { entity, alias }: Pick<At, 'entity' | 'alias'>, at: At): string[] {
  const columns = by.map(({ column, of }) => {
    const mine = of.map((one) => `${at.alias}.${columnOf(at.entity, one)}`);
    return `${alias}.${columnOf(entity, column)} ${mine.length === 1 ? `= ${mine[0]}` : `IN (${mine.join(', ')})`}`;
  });
  return [`${alias}.environment_id = ${at.alias}.environment_id`, ...columns];
}

function joinsOf(forms: readonly (Form | null)[], at: At): string {
  const besides = new Set<Beside>();
  for (const form of forms) if (form) collect(form, besides);
  return [...besides]
    .map((one) => ` LEFT JOIN ${tableOf(one.entity)} AS ${one.alias} ON ${matches(one.by, one, at).join(' AND ')}`)
    .join('');
}

/** Nested rows collect their own. */
function collect(form: Form, into: Set<Beside>): void {
  if ('place' in form && form.place.beside) into.add(form.place.beside);
  if (form.kind === 'fields') Object.values(form.fields).forEach((one) => collect(one, into));
  if (form.kind === 'all' || form.kind === 'any') form.of.forEach((one) => collect(one, into));
  if (form.kind === 'when') [form.condition, form.then].forEach((one) => collect(one, into));
}

const placeOf = ({ column, beside }: Place, at: At): string =>
  beside ? `${beside.alias}.${columnOf(beside.entity, column)}` : `${at.alias}.${columnOf(at.entity, column)}`;

/** Descriptions are source code. A character that would end the literal is a mistake there, and rejected. */
function literal(value: Scalar): string {
  if (typeof value !== 'string') return String(value);
  if (!/^[\w .-]*$/.test(value)) throw new Error(`${JSON.stringify(value)} is not for the text of a statement.`);
  return `'${value}'`;
}
