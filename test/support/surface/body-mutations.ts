import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonSchema } from '../contract/openapi-document.js';
import { closed, strictDocument } from '../contract/strict-schemas.js';
import { candidatesFor, type Expectation } from './candidates.js';
import { apiDocument } from './operations.js';
import { SENSITIVE_NAMES } from './sensitive-names.js';
import { placesOf, sampleOf, shapeOf, withValue, type Place, type Shape } from './shape.js';

export interface Mutation {
  name: string;
  /** JSON text, or a query string. */
  text: string;
  expected: Expectation | 'valid';
}

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(strictDocument(apiDocument));

export const compile = (schema: JsonSchema): ValidateFunction => ajv.compile(closed(schema));

const RESERVED = new Set(['__proto__', 'constructor', 'prototype']);

/** A text that stands for something no JSON value does. */
const RAW = '@raw@';
const RAW_NUMBERS = ['1e400', '-1e400', '123456789012345678901234567890'];

/** Bodies that differ from a valid one at one place, with what the document says of each. */
export function bodyMutations(schema: JsonSchema, base: unknown): Mutation[] {
  const validate = compile(schema);
  const mutations: Mutation[] = [];
  const add = (name: string, body: unknown, expectation?: Expectation): void => {
    const text = JSON.stringify(body);
    if (text === undefined) return;
    mutations.push({ name, text, expected: expectation ?? (validate(JSON.parse(text)) ? 'valid' : 'refused') });
  };
  for (const { place, shape } of placesOf(schema)) {
    const where = place.join('.') || 'body';
    const sample = shape.items ? sampleOf(shape.items) : undefined;
    for (const { name, value, expectation } of candidatesFor(shape, sample)) {
      add(`${where}: ${name}`, withValue(schema, base, place, value), expectation);
    }
    for (const [name, value, expectation] of fieldMistakes(shape, partOf(schema, base, place))) {
      add(`${where}: ${name}`, withValue(schema, base, place, value), expectation);
    }
    if (shape.types.includes('number')) mutations.push(...rawNumbers(schema, base, place));
  }
  return mutations;
}

/** The valid value at a place, to be changed. */
function partOf(schema: JsonSchema, base: unknown, place: Place): unknown {
  return place.reduce<{ shape: Shape; value: unknown }>(
    ({ shape, value }, key) => {
      const inner = shapeOf((typeof key === 'number' ? shape.items : shape.properties?.[key]) ?? {});
      const known = value !== null && typeof value === 'object' && Object.hasOwn(value, key);
      return { shape: inner, value: known ? (value as Record<string, unknown>)[key] : sampleOf(inner) };
    },
    { shape: shapeOf(schema), value: base },
  ).value;
}

/** Objects with a field too many or too few. */
function fieldMistakes(shape: Shape, valid: unknown): [string, unknown, Expectation?][] {
  if (!shape.types.includes('object') || valid === null || typeof valid !== 'object') return [];
  const unknown = SENSITIVE_NAMES.filter((name) => !Object.hasOwn(shape.properties ?? {}, name));
  const isOpen = shape.properties === undefined;
  return [
    ...unknown
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

const rawNumbers = (schema: JsonSchema, base: unknown, place: Place): Mutation[] =>
  RAW_NUMBERS.map((number) => ({
    name: `${place.join('.')}: ${number}`,
    text: JSON.stringify(withValue(schema, base, place, RAW)).replace(`"${RAW}"`, number),
    expected: 'any',
  }));
