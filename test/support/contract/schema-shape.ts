import { type JsonSchema, lookUp, type OpenApiDoc } from './openapi-document.js';

/** One level of a schema in normalised form; fields and items are kept as written. */
export interface Shape {
  kind: 'any' | 'null' | 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'union';
  nullable: boolean;
  /** Component the schema was reached through. */
  component?: string;
  enum?: string[];
  limits: Record<string, string | number>;
  fields: Map<string, JsonSchema>;
  required: Set<string>;
  /** Schema of the values of a map; `true` for a free-form object. */
  values?: JsonSchema | true;
  items?: JsonSchema;
  alternatives: JsonSchema[];
  /** The contract documents a narrower rule than it enforces, so a stricter request is correct there. */
  mayBeStricter: boolean;
}

const LIMITS = [
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
  'uniqueItems',
] as const;
/** Formats that give the width of a number and do not restrict JSON. */
const WIDTH_FORMATS = new Set(['int32', 'int64', 'float', 'double']);
/** Length of a UUID's text (RFC 9562 section 4), explicit in one notation and implied by another. */
const UUID_LENGTH = 36;

interface Flat {
  schema: JsonSchema;
  component?: string;
  nullable?: boolean;
}

/** Merged schemas keep their identity, by which the comparison of recursive schemas detects cycles. */
const flattened = new WeakMap<OpenApiDoc, WeakMap<JsonSchema, Flat>>();

/** Normalises one schema level: references, `allOf`, one-member unions, three notations of null. */
export function shapeOf(doc: OpenApiDoc, schema: JsonSchema): Shape {
  const { schema: flat, component, nullable } = flatten(doc, schema, []);
  const types = typesOf(flat);
  const alternatives =
    types.length > 1 ? types.map((type) => ({ ...flat, type })) : [...(flat.anyOf ?? flat.oneOf ?? [])];
  const kind = alternatives.length > 0 ? 'union' : ((types[0] ?? 'any') as Shape['kind']);
  const values = flat.enum ?? ('const' in flat ? [flat.const] : undefined);
  return {
    kind,
    nullable: nullable ?? false,
    ...(component === undefined ? {} : { component }),
    ...(values
      ? {
          enum: values
            .filter((value) => value !== null)
            .map(toText)
            .sort(),
        }
      : {}),
    limits: limitsOf(flat),
    fields: new Map(Object.entries(flat.properties ?? {})),
    required: new Set(flat.required ?? []),
    ...valuesOf(flat, kind),
    ...(flat.items ? { items: flat.items } : {}),
    alternatives,
    mayBeStricter: 'x-published-pattern' in flat,
  };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function typesOf(schema: JsonSchema): string[] {
  if (schema.type !== undefined) return [schema.type].flat().filter((type) => type !== 'null');
  if (schema.properties || schema.additionalProperties) return ['object'];
  if (schema.items) return ['array'];
  const values = schema.enum ?? ('const' in schema ? [schema.const] : []);
  return [...new Set(values.filter((value) => value !== null).map((value) => typeof value))];
}

function valuesOf(schema: JsonSchema, kind: Shape['kind']): Pick<Shape, 'values'> {
  if (kind !== 'object') return {};
  const extra = schema.additionalProperties;
  if (typeof extra === 'object') return { values: Object.keys(extra).length === 0 ? true : extra };
  const free = extra === true || (extra === undefined && !schema.properties);
  return free ? { values: true } : {};
}

function limitsOf(schema: JsonSchema): Shape['limits'] {
  const limits: Shape['limits'] = {};
  for (const name of LIMITS) {
    const value = schema[name];
    if (typeof value === 'string' || typeof value === 'number') limits[name] = value;
    if (value === true) limits[name] = 'true';
  }
  if (WIDTH_FORMATS.has(String(limits.format))) delete limits.format;
  if (limits.format === 'uuid') {
    limits.minLength ??= UUID_LENGTH;
    limits.maxLength ??= UUID_LENGTH;
  }
  if (limits.minLength === 0) delete limits.minLength;
  if (limits.minItems === 0) delete limits.minItems;
  if (typeof limits.pattern === 'string') limits.pattern = normalisePattern(limits.pattern);
  return limits;
}

/** Normalises character classes and escapes with several spellings; not a proof of equivalence. */
export function normalisePattern(pattern: string): string {
  return pattern
    .replace(/^\/(.*)\/[a-z]*$/s, '$1')
    .replaceAll('0-9', '\\d')
    .replaceAll('[\\d]', '\\d')
    .replaceAll('{1}', '')
    .replace(/\\([/\-_:@%!'"=])/g, '$1');
}

function flatten(doc: OpenApiDoc, schema: JsonSchema, followed: readonly string[]): Flat {
  const known = flattened.get(doc) ?? new WeakMap<JsonSchema, Flat>();
  flattened.set(doc, known);
  const flat = known.get(schema) ?? flattenAnew(doc, schema, followed);
  known.set(schema, flat);
  return flat;
}

function flattenAnew(doc: OpenApiDoc, schema: JsonSchema, followed: readonly string[]): Flat {
  const { $ref, allOf, nullable, ...own } = schema;
  const parts: Flat[] = [];
  if ($ref !== undefined) {
    if (followed.includes($ref)) throw new Error(`schema ${$ref} is defined by itself`);
    const target = flatten(doc, lookUp(doc, $ref) as JsonSchema, [...followed, $ref]);
    parts.push({ ...target, component: $ref.split('/').at(-1) });
  }
  for (const member of allOf ?? []) parts.push(flatten(doc, member, followed));
  if (Object.keys(own).length > 0) parts.push(withoutNull(doc, own, followed));
  const merged = parts.map((part) => part.schema).reduce(merge, {});
  const nulls = parts.map((part) => part.nullable).filter((part) => part !== undefined);
  const component = parts.find((part) => part.component !== undefined)?.component;
  return {
    schema: merged,
    ...(component === undefined ? {} : { component }),
    ...(nullable === true ? { nullable } : nulls.length > 0 ? { nullable: nulls.every(Boolean) } : {}),
  };
}

/** A schema without `$ref` or `allOf`: removes null from its type, values and alternatives. */
function withoutNull(doc: OpenApiDoc, schema: JsonSchema, followed: readonly string[]): Flat {
  const members = schema.anyOf ?? schema.oneOf;
  if (members) {
    const rest = { ...schema };
    delete rest.anyOf;
    delete rest.oneOf;
    const real = members.filter((member) => member.type !== 'null');
    const [only] = real;
    const nullable = real.length < members.length;
    if (only && real.length === 1) {
      const target = flatten(doc, only, followed);
      return { ...target, schema: merge(target.schema, rest), nullable: nullable || target.nullable === true };
    }
    return { schema: { ...rest, anyOf: real }, nullable };
  }
  if (schema.type === undefined) return schema.enum?.includes(null) ? { schema, nullable: true } : { schema };
  const types = [schema.type].flat();
  return { schema, nullable: types.includes('null') };
}

function merge(left: JsonSchema, right: JsonSchema): JsonSchema {
  const properties: Record<string, JsonSchema> = { ...left.properties };
  for (const [name, field] of Object.entries(right.properties ?? {})) {
    const known = properties[name];
    properties[name] = known ? { allOf: [known, field] } : field;
  }
  const values = left.enum && right.enum ? left.enum.filter((value) => right.enum?.includes(value)) : undefined;
  return {
    ...left,
    ...right,
    ...(values ? { enum: values } : {}),
    ...(left.properties || right.properties ? { properties } : {}),
    ...(left.required || right.required ? { required: [...(left.required ?? []), ...(right.required ?? [])] } : {}),
  };
}
