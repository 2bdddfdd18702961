import type { JsonSchema } from '../contract/openapi-document.js';
import { candidatesFor, type Expectation } from './candidates.js';
import { atOnce, TRIED_SINGLY, SENSITIVE_NAMES } from './sensitive-names.js';
import type { Place, Schemas, Shape } from './schemas.js';

export interface Mutation {
  name: string;
  /** JSON text, or a query string. */
  text: string;
  expected: Expectation | 'valid';
  /** Fields that the refusal names, each of them. */
  unknown?: readonly string[];
  /** The single value that differs from a valid body. */
  change?: Change;
}

export interface Change {
  place: Place;
  value: unknown;
}

const RESERVED = new Set(['__proto__', 'constructor', 'prototype']);

/** In bodies with at most this many fields, each is tried with every unusual text. */
const FEW_TEXTS = 5;

/** A placeholder for raw text that is not a JSON value. */
const RAW = '@raw@';
const RAW_NUMBERS = ['1e400', '-1e400', '123456789012345678901234567890'];

/** Bodies that differ from a valid one in one place, with what the document says about each. */
export function bodyMutations(schemas: Schemas, schema: JsonSchema, base: unknown): Mutation[] {
  const validate = schemas.compile(schema);
  const mutations: Mutation[] = [];
  const add = (name: string, body: unknown, expectation?: Expectation, change?: Change): void => {
    const text = JSON.stringify(body);
    if (text === undefined) return;
    const expected = expectation ?? (validate(JSON.parse(text)) ? 'valid' : 'refused');
    mutations.push({ name, text, expected, change });
  };
  const places = schemas.placesOf(schema);
  const isLarge = places.filter(({ shape }) => shape.types.includes('string')).length > FEW_TEXTS;
  for (const [index, { place, shape }] of places.entries()) {
    const where = place.join('.') || 'body';
    const sample = shape.items ? schemas.sampleOf(shape.items) : undefined;
    for (const { name, value, expectation } of candidatesFor(shape, sample, isLarge ? index : undefined)) {
      const change = isSingle(place, shape) ? { place, value } : undefined;
      add(`${where}: ${name}`, schemas.withValue(schema, base, place, value), expectation, change);
    }
    const valid = partOf(schemas, schema, base, place);
    for (const [name, value, expectation] of fieldMistakes(shape, valid)) {
      add(`${where}: ${name}`, schemas.withValue(schema, base, place, value), expectation);
    }
    for (const [names, value] of unknownFields(shape, valid)) {
      const text = JSON.stringify(schemas.withValue(schema, base, place, value));
      mutations.push({ name: `${where}: with ${names.join(' and ')}`, text, expected: 'refused', unknown: names });
    }
    if (shape.types.includes('number')) mutations.push(...rawNumbers(schemas, schema, base, place));
  }
  return mutations;
}

/** A valid body with several changes. */
export const withChanges = (schemas: Schemas, schema: JsonSchema, base: unknown, changes: readonly Change[]): string =>
  JSON.stringify(changes.reduce((body, { place, value }) => schemas.withValue(schema, body, place, value), base));

/** Neither the whole body nor a value with others inside. */
const isSingle = (place: Place, { properties, items }: Shape): boolean => place.length > 0 && !properties && !items;

/** The valid value at a place, before the change. */
function partOf(schemas: Schemas, schema: JsonSchema, base: unknown, place: Place): unknown {
  return place.reduce<{ shape: Shape; value: unknown }>(
    ({ shape, value }, key) => {
      const inner = schemas.shapeOf((typeof key === 'number' ? shape.items : shape.properties?.[key]) ?? {});
      const known = value !== null && typeof value === 'object' && Object.hasOwn(value, key);
      return { shape: inner, value: known ? (value as Record<string, unknown>)[key] : schemas.sampleOf(inner) };
    },
    { shape: schemas.shapeOf(schema), value: base },
  ).value;
}

const isObject = (shape: Shape, valid: unknown): valid is object =>
  shape.types.includes('object') && valid !== null && typeof valid === 'object';

/** Objects with many fields too many, all of which are named when they are refused. */
function unknownFields(shape: Shape, valid: unknown): [string[], unknown][] {
  const { properties } = shape;
  if (!isObject(shape, valid) || properties === undefined) return [];
  const names = SENSITIVE_NAMES.filter((name) => !TRIED_SINGLY.has(name) && !Object.hasOwn(properties, name));
  return atOnce(names).map((some) => [some, { ...valid, ...Object.fromEntries(some.map((name) => [name, 'x'])) }]);
}

/** Objects with a reserved field, or with one too few. */
function fieldMistakes(shape: Shape, valid: unknown): [string, unknown, Expectation?][] {
  if (!isObject(shape, valid)) return [];
  const isOpen = shape.properties === undefined;
  return [
    ...[...TRIED_SINGLY]
      .filter((name) => !isOpen || RESERVED.has(name))
      .map((name): [string, unknown, Expectation] => [
        `with ${name || 'an empty name'}`,
        { ...valid, [name]: 'x' },
        'refused',
      ]),
    ...(shape.required ?? []).map((name): [string, unknown] => [
      `without ${name}`,
      Object.fromEntries(Object.entries(valid).filter(([key]) => key !== name)),
    ]),
  ];
}

const rawNumbers = (schemas: Schemas, schema: JsonSchema, base: unknown, place: Place): Mutation[] =>
  RAW_NUMBERS.map((number) => ({
    name: `${place.join('.')}: ${number}`,
    text: JSON.stringify(schemas.withValue(schema, base, place, RAW)).replace(`"${RAW}"`, number),
    expected: 'any',
  }));
