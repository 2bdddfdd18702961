import { getMetadataArgsStorage } from 'typeorm';
import { SnakeCaseNaming } from '../naming.js';

/** The class of an entity: its table and its columns are named by it and nowhere else. */
export type EntityClass<E = object> = abstract new () => E;

/** The name of a column, by the property of the entity. */
export type Column<E> = keyof E & string;

const naming = new SnakeCaseNaming();
const isName = (text: unknown): text is string => typeof text === 'string' && /^[a-z][a-z0-9_]*$/.test(text);

/**
 * What the decorators of an entity have said, which is known as soon as its file is loaded: statements that are made of it
 * need no connection.
 *
 * @throws Error for a class that is no entity
 */
export function tableOf(entity: EntityClass): string {
  const name = getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name;
  if (!isName(name)) throw new Error(`${entity.name} is no table.`);
  return name;
}

/** @throws Error for what is no column of the entity: nothing but names of columns becomes part of a statement */
export function columnOf(entity: EntityClass, property: string): string {
  const known = getMetadataArgsStorage().columns.find(
    ({ target, propertyName }) => propertyName === property && isOf(entity, target),
  );
  const name = known && naming.columnName(property, known.options.name, []);
  if (!isName(name)) throw new Error(`${entity.name} has no column ${property}.`);
  return name;
}

/**
 * Whether the database lets a row name only what is in the other table already, by a foreign key over the environment and
 * this column alone.
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
