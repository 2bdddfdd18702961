import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { lookUp, type JsonSchema, type OpenApiDoc } from '../contract/openapi-document.js';
import { closed, strictDocument } from '../contract/strict-schemas.js';

/** A schema with its references resolved, its `allOf` parts merged and its alternatives separated. */
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

export type Place = readonly (string | number)[];

export interface LocatedShape {
  place: Place;
  shape: Shape;
}

const TEXTS = [
  'A',
  'GB',
  'eip155:1',
  '123456',
  'gb',
  'createdAt-asc',
  'a',
  'So11111111111111111111111111111111111111112',
];

/** The schemas of a document, interpreted as sets of values. */
export class Schemas {
  private readonly ajv = new Ajv2020({ strict: false });
  private readonly shapes = new WeakMap<JsonSchema, Shape>();
  private readonly validators = new WeakMap<JsonSchema, ValidateFunction>();

  constructor(private readonly document: OpenApiDoc) {
    addFormats.default(this.ajv);
    this.ajv.addSchema(strictDocument(document));
  }

  compile(schema: JsonSchema): ValidateFunction {
    const known = this.validators.get(schema) ?? this.ajv.compile(closed(schema));
    this.validators.set(schema, known);
    return known;
  }

  shapeOf(schema: JsonSchema): Shape {
    const shape = this.shapes.get(schema) ?? this.readShape(schema);
    this.shapes.set(schema, shape);
    return shape;
  }

  private readShape(schema: JsonSchema): Shape {
    const parts = [
      ...(schema.$ref ? [this.shapeOf(lookUp(this.document, schema.$ref) as JsonSchema)] : []),
      ...(schema.allOf ?? []).map((part) => this.shapeOf(part)),
    ];
    const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
    const main = alternatives.find(({ type }) => type !== 'null');
    const merged = Object.assign({}, ...parts, ...(main ? [this.shapeOf(main)] : []), schema) as JsonSchema;
    const declared = [merged.type ?? []].flat();
    const inherited = [...parts, ...(main ? [this.shapeOf(main)] : [])].flatMap(({ types }) => types);
    const isNullable = schema.nullable === true || alternatives.some(({ type }) => type === 'null');
    const types = [...new Set([...declared, ...inherited, ...(isNullable ? ['null'] : [])])];
    return { ...merged, types };
  }

  /** Every value that a schema describes, outermost first; the first item represents a list's items. */
  placesOf(schema: JsonSchema, place: Place = []): LocatedShape[] {
    const shape = this.shapeOf(schema);
    return [
      { place, shape },
      ...Object.entries(shape.properties ?? {}).flatMap(([name, part]) => this.placesOf(part, [...place, name])),
      ...(shape.items ? this.placesOf(shape.items, [...place, 0]) : []),
    ];
  }

  /** The smallest value that a schema allows. */
  sampleOf(schema: JsonSchema): unknown {
    const shape = this.shapeOf(schema);
    if (shape.enum) return shape.enum[0];
    if (shape.types.includes('object')) {
      const required = (shape.required ?? []).map(
        (name) => [name, this.sampleOf(shape.properties?.[name] ?? {})] as const,
      );
      return Object.fromEntries(required);
    }
    if (shape.types.includes('array')) return shape.items ? [this.sampleOf(shape.items)] : [];
    if (shape.types.includes('boolean')) return true;
    if (shape.types.includes('integer') || shape.types.includes('number')) return shape.minimum ?? 1;
    if (shape.format === 'uuid') return '018f0000-0000-7000-8000-000000000001';
    if (shape.format === 'email') return 'sample@example.com';
    if (shape.format === 'date-time') return '2026-01-01T00:00:00.000Z';
    const pattern = shape.pattern;
    return pattern ? TEXTS.find((text) => new RegExp(pattern, 'u').test(text)) : 'a'.repeat(shape.minLength ?? 1);
  }

  /** A valid body: the required fields, and those optional ones that have an example in the document. */
  requestSample(schema: JsonSchema): unknown {
    const { properties = {}, required = [], items, types } = this.shapeOf(schema);
    if (types.includes('array')) return items ? [this.requestSample(items)] : [];
    if (!types.includes('object')) return this.exampleOf(schema) ?? this.sampleOf(schema);
    const wanted = Object.entries(properties).filter(
      ([name, part]) => required.includes(name) || this.exampleOf(part) !== undefined,
    );
    return Object.fromEntries(wanted.map(([name, part]) => [name, this.exampleOf(part) ?? this.requestSample(part)]));
  }

  private exampleOf(schema: JsonSchema): unknown {
    const { example, examples } = this.shapeOf(schema);
    return example ?? (Array.isArray(examples) ? (examples[0] as unknown) : undefined);
  }

  /** A copy of `base` with another value at a place; missing parents are created. */
  withValue(schema: JsonSchema, base: unknown, place: Place, value: unknown): unknown {
    const [key, ...rest] = place;
    if (key === undefined) return value;
    const shape = this.shapeOf(schema);
    if (typeof key === 'number') {
      const list = Array.isArray(base) && base.length > 0 ? [...(base as unknown[])] : [undefined];
      list[key] = this.withValue(shape.items ?? {}, list[key], rest, value);
      return list;
    }
    const isObject = base !== null && typeof base === 'object';
    const object = (isObject ? base : this.sampleOf(schema)) as Record<string, unknown>;
    const inner = Object.hasOwn(object, key) ? object[key] : undefined;
    // A computed key, so that `__proto__` becomes an ordinary field.
    return { ...object, [key]: this.withValue(shape.properties?.[key] ?? {}, inner, rest, value) };
  }
}
