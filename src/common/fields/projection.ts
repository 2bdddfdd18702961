import { fieldsOf, type FieldClass, type FieldMeta } from './field-meta.js';

type Source = Record<string, unknown>;
export type Projection = (value: unknown) => unknown;

const compiled = new WeakMap<FieldClass, Projection>();

/** Converts dates to strings here, which is faster than leaving it to `JSON.stringify`. */
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
  // The nested class is resolved on first use, so that classes may refer to each other.
  let project: Projection | undefined;
  const one: Projection = (value) => (project ??= projectionOf(nested()))(value);
  return field.list ? each(one) : one;
}

/**
 * A function that copies only the declared fields of a class from any object. Built once per class. Absent fields stay
 * absent; null is kept for nullable fields and dropped elsewhere.
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
