import { fieldsOf, type FieldClass, type FieldMeta } from './field-meta.js';

type Source = Record<string, unknown>;
export type Projection = (value: unknown) => unknown;

const compiled = new WeakMap<FieldClass, Projection>();

/** Text, which is what leaves: JSON would ask each date for it by a call from within. */
function isoDate(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  return typeof value === 'string' ? new Date(value).toISOString() : value;
}

const each =
  (one: Projection): Projection =>
  (value) =>
    Array.isArray(value) ? value.map(one) : value;

function carrierOf(field: FieldMeta): Projection | null {
  if (field.kind === 'value') return null;
  if (field.kind === 'date') return field.list ? each(isoDate) : isoDate;
  const nested = field.nested!;
  // The nested class is looked up at the first use, so that classes may refer to each other.
  let project: Projection | undefined;
  const one: Projection = (value) => (project ??= projectionOf(nested()))(value);
  return field.list ? each(one) : one;
}

/**
 * The function that copies the declared fields of a class, and nothing else, from any object.
 * Built once per class. Absent fields stay absent; null is kept where the field may be null and dropped elsewhere.
 */
export function projectionOf(type: FieldClass): Projection {
  const known = compiled.get(type);
  if (known) return known;
  const steps = fieldsOf(type).map((field) => ({
    key: field.key,
    nullable: field.options.nullable === true,
    carry: carrierOf(field),
  }));
  const project: Projection = (value) => {
    if (value === null || typeof value !== 'object') return value;
    const source = value as Source;
    const result: Source = {};
    for (const { key, nullable, carry } of steps) {
      const item = source[key];
      if (item === undefined || (item === null && !nullable)) continue;
      result[key] = carry && item !== null ? carry(item) : item;
    }
    return result;
  };
  compiled.set(type, project);
  return project;
}
