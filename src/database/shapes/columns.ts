import { getMetadataArgsStorage } from 'typeorm';
import { SnakeCaseNaming } from '../naming.js';

/** An entity class, the only place that names its table and columns. */
export type EntityClass<E = object> = abstract new () => E;

/** A column, named by its entity property. */
export type Column<E> = keyof E & string;

const naming = new SnakeCaseNaming();
const isName = (text: unknown): text is string => typeof text === 'string' && /^[a-z][a-z0-9_]*$/.test(text);

/**
 * The table, from the metadata of the entity's decorators, which is complete as soon as its file is loaded: statements
 * built from it need no connection.
 *
 * @throws Error for a class that is not an entity
 */
export function tableOf(entity: EntityClass): string {
  const name = getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name;
  if (!isName(name)) throw new Error(`${entity.name} is no table.`);
  return name;
}

/** @throws Error unless it is a column of the entity: only column names become part of a statement */
export function columnOf(entity: EntityClass, property: string): string {
  const known = getMetadataArgsStorage().columns.find(
    ({ target, propertyName }) => propertyName === property && isOf(entity, target),
  );
  const name = known && naming.columnName(property, known.options.name, []);
  if (!isName(name)) throw new Error(`${entity.name} has no column ${property}.`);
  return name;
}

/**
 * Whether a foreign key over the environment and this column alone ensures that the value exists in the other table.
 */
export function refersTo(entity: EntityClass, property: string, table: string): boolean {
  return getMetadataArgsStorage().foreignKeys.some(
    ({ target, type, columnNames = [], deferrable }) =>
      isOf(entity, target) &&
      type === table &&
      columnNames.length === 2 &&
      columnNames.includes('environmentId') &&
      columnNames.includes(property) &&
      deferrable === undefined,
  );
}

const isOf = (entity: EntityClass, target: unknown): boolean =>
  target === entity || (typeof target === 'function' && entity.prototype instanceof target);
