import { lookUp, type JsonSchema } from '../contract/openapi-document.js';
import { apiDocument } from './operations.js';

/** A schema with its references followed, its parts merged and its alternatives told apart. */
export interface Shape extends JsonSchema {
  types: string[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

export function shapeOf(schema: JsonSchema): Shape {
  const parts = [
    ...(schema.$ref ? [shapeOf(lookUp(apiDocument, schema.$ref) as JsonSchema)] : []),
    ...(schema.allOf ?? []).map(shapeOf),
  ];
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const main = alternatives.find(({ type }) => type !== 'null');
  const merged = Object.assign({}, ...parts, ...(main ? [shapeOf(main)] : []), schema) as JsonSchema;
  const declared = [merged.type ?? []].flat();
  const inherited = [...parts, ...(main ? [shapeOf(main)] : [])].flatMap(({ types }) => types);
  const isNullable = schema.nullable === true || alternatives.some(({ type }) => type === 'null');
  const types = [...new Set([...declared, ...inherited, ...(isNullable ? ['null'] : [])])];
  return { ...merged, types };
}

export type Place = readonly (string | number)[];

export interface LocatedShape {
  place: Place;
  shape: Shape;
}

/** Every value a schema describes, the outermost first; of lists the first item stands for all. */
export function placesOf(schema: JsonSchema, place: Place = []): LocatedShape[] {
  const shape = shapeOf(schema);
  return [
    { place, shape },
    ...Object.entries(shape.properties ?? {}).flatMap(([name, part]) => placesOf(part, [...place, name])),
    ...(shape.items ? placesOf(shape.items, [...place, 0]) : []),
  ];
}

const TEXTS = ['A', 'GB', 'eip155:1', '123456', 'gb', 'createdAt-asc', 'a'];

/** The least a schema asks for. */
export function sampleOf(schema: JsonSchema): unknown {
  const shape = shapeOf(schema);
  if (shape.enum) return shape.enum[0];
  if (shape.types.includes('object')) {
    const required = (shape.required ?? []).map((name) => [name, sampleOf(shape.properties?.[name] ?? {})] as const);
    return Object.fromEntries(required);
  }
  if (shape.types.includes('array')) return shape.items ? [sampleOf(shape.items)] : [];
  if (shape.types.includes('boolean')) return true;
  if (shape.types.includes('integer') || shape.types.includes('number')) return shape.minimum ?? 1;
  if (shape.format === 'uuid') return '018f0000-0000-7000-8000-000000000001';
  if (shape.format === 'email') return 'sample@example.com';
  if (shape.format === 'date-time') return '2026-01-01T00:00:00.000Z';
  const pattern = shape.pattern;
  return pattern ? TEXTS.find((text) => new RegExp(pattern, 'u').test(text)) : 'a'.repeat(shape.minLength ?? 1);
}

/** A body that is right: the required fields, and of the others those that the document gives an example of. */
export function requestSample(schema: JsonSchema): unknown {
  const { properties = {}, required = [], items, types } = shapeOf(schema);
  if (types.includes('array')) return items ? [requestSample(items)] : [];
  if (!types.includes('object')) return exampleOf(schema) ?? sampleOf(schema);
  const wanted = Object.entries(properties).filter(
    ([name, part]) => required.includes(name) || exampleOf(part) !== undefined,
  );
  return Object.fromEntries(wanted.map(([name, part]) => [name, exampleOf(part) ?? requestSample(part)]));
}

function exampleOf(schema: JsonSchema): unknown {
  const { example, examples } = shapeOf(schema);
  return example ?? (Array.isArray(examples) ? (examples[0] as unknown) : undefined);
}

/** A copy of `base` with another value at a place; what lies on the way and is not there gets made. */
export function withValue(schema: JsonSchema, base: unknown, place: Place, value: unknown): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return value;
  const shape = shapeOf(schema);
  if (typeof key === 'number') {
    const list = Array.isArray(base) && base.length > 0 ? [...(base as unknown[])] : [undefined];
    list[key] = withValue(shape.items ?? {}, list[key], rest, value);
    return list;
  }
  const object = (base !== null && typeof base === 'object' ? base : sampleOf(schema)) as Record<string, unknown>;
  const inner = Object.hasOwn(object, key) ? object[key] : undefined;
  // A computed key, so that `__proto__` becomes a field like any other.
  return { ...object, [key]: withValue(shape.properties?.[key] ?? {}, inner, rest, value) };
}
