import { Transform } from 'class-transformer';
import {
  IsBoolean,
  IsDate,
  IsEmail,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { declareField } from './declare-field.js';
import type { FieldOptions } from './field-meta.js';
import type { Declared, FieldDecorator } from './field-types.js';
import {
  ADDRESS_OR_EMPTY,
  HasVisible,
  HoldsObjects,
  IsFiniteNumber,
  IsUuid,
  MatchesWithin,
  SmallJson,
} from './field-rules.js';

interface TextOptions extends FieldOptions {
  /** Minimum length, in UTF-16 code units. */
  min?: number;
  /** Maximum length, in UTF-16 code units. */
  max?: number;
  pattern?: RegExp;
  format?: string;
  /** Must contain a visible character, as names must; only descriptions say so, since the contract has no pattern. */
  visible?: boolean;
}

const textSchema = ({ min, max, pattern, format }: TextOptions): object => ({
  ...(min !== undefined && { minLength: min }),
  ...(max !== undefined && { maxLength: max }),
  ...(pattern && { pattern: pattern.source }),
  ...(format && { format }),
});

export function StringField<const O extends TextOptions>(options?: O): FieldDecorator<Declared<string, O>> {
  const text: TextOptions = options ?? {};
  return declareField({
    options: text,
    rules: [
      IsString(),
      ...(text.min !== undefined ? [MinLength(text.min)] : []),
      ...(text.max !== undefined ? [MaxLength(text.max)] : []),
      ...(text.pattern ? [MatchesWithin(text.pattern, text.max)] : []),
      ...(text.visible ? [HasVisible()] : []),
    ],
    schema: { type: 'string', ...textSchema(text) },
  });
}

export function UuidField<const O extends FieldOptions>(options?: O): FieldDecorator<Declared<string, O>> {
  return declareField({
    options: options ?? {},
    rules: [IsUuid()],
    schema: { type: 'string', format: 'uuid', minLength: 36, maxLength: 36 },
  });
}

/** An email address of at most 255 characters; with `allowEmpty`, also the empty string (which clears it). */
export function EmailField<const O extends FieldOptions & { allowEmpty?: boolean; max?: number }>(
  options?: O,
): FieldDecorator<Declared<string, O>> {
  const { allowEmpty, max, ...rest } = {
    max: 255,
    ...(options as FieldOptions & { allowEmpty?: boolean; max?: number }),
  };
  const address = { type: 'string', format: 'email', ...(Number.isFinite(max) && { maxLength: max }) };
  const schema = allowEmpty ? { anyOf: [address, { type: 'string', maxLength: 0 }] } : address;
  const rules = [IsString(), ...(Number.isFinite(max) ? [MaxLength(max)] : [])];
  return declareField({
    options: rest,
    rules: allowEmpty ? [...rules, Matches(ADDRESS_OR_EMPTY)] : [...rules, IsEmail({ ignore_max_length: true })],
    schema: schema as never,
  });
}

export function BooleanField<const O extends FieldOptions>(options?: O): FieldDecorator<Declared<boolean, O>> {
  return declareField({ options: options ?? {}, rules: [IsBoolean()], schema: { type: 'boolean' } });
}

interface RangeOptions extends FieldOptions {
  min?: number;
  max?: number;
  default?: number;
}

const rangeRules = ({ min, max }: RangeOptions): PropertyDecorator[] => [
  ...(min !== undefined ? [Min(min)] : []),
  ...(max !== undefined ? [Max(max)] : []),
];
const rangeSchema = (range: RangeOptions): object => ({
  ...(range.min !== undefined && { minimum: range.min }),
  ...(range.max !== undefined && { maximum: range.max }),
  ...(range.default !== undefined && { default: range.default }),
});

export function IntegerField<const O extends RangeOptions>(options?: O): FieldDecorator<Declared<number, O>> {
  const range: RangeOptions = options ?? {};
  return declareField({
    options: range,
    rules: [IsInt(), ...rangeRules(range)],
    schema: { type: 'integer', ...rangeSchema(range) },
  });
}

export function NumberField<const O extends RangeOptions>(options?: O): FieldDecorator<Declared<number, O>> {
  const range: RangeOptions = options ?? {};
  return declareField({
    options: range,
    rules: [IsFiniteNumber(), ...rangeRules(range)],
    schema: { type: 'number', ...rangeSchema(range) },
  });
}

const ISO_DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Parses the text as a date. Returns it unchanged, so that validation fails, unless it is a valid instant in the years 1 to
 * 9999: others cannot be stored and read back, and 30 February would silently become another day.
 */
function parseDateTime(value: unknown): unknown {
  if (typeof value !== 'string' || !ISO_DATE_TIME.test(value)) return value;
  const day = new Date(value.slice(0, 10));
  const date = new Date(value);
  const year = date.getUTCFullYear();
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value.slice(0, 10));
  return isDay && year >= 1 && year <= 9999 ? date : value;
}

const NOT_A_DATE_TIME =
  '$property must be a date-time with offset (2026-01-31T12:00:00Z) in ISO 8601, in the years 1 to 9999';

/** An ISO 8601 date-time with offset, represented as `Date`. */
export function DateField<const O extends FieldOptions>(options?: O): FieldDecorator<Declared<Date, O>> {
  return declareField({
    options: options ?? {},
    rules: [Transform(({ value }: { value: unknown }) => parseDateTime(value)), IsDate({ message: NOT_A_DATE_TIME })],
    schema: { type: 'string', format: 'date-time' },
    kind: 'date',
  });
}

/** A fixed list of strings, documented as a named component. */
export interface EnumDefinition<T extends string> {
  readonly name: string;
  readonly values: readonly T[];
}

export const defineEnum = <const V extends readonly string[]>(name: string, values: V): EnumDefinition<V[number]> => ({
  name,
  values,
});

export type EnumValue<D> = D extends EnumDefinition<infer T> ? T : never;

export function EnumField<T extends string, const O extends FieldOptions>(
  definition: EnumDefinition<T>,
  options?: O,
): FieldDecorator<Declared<T, O>> {
  return declareField({
    options: options ?? {},
    rules: [IsIn(definition.values)],
    schema: { enum: [...definition.values], enumName: definition.name },
  });
}

/** A free-form JSON object of at most `maxBytes` (16 KB by default); with `objects`, all its values must be objects. */
export function JsonField<const O extends FieldOptions & { maxBytes?: number; objects?: boolean }>(
  options?: O,
): FieldDecorator<Declared<Record<string, unknown>, O>> {
  const {
    maxBytes = 16_384,
    objects = false,
    ...rest
  } = (options ?? {}) as FieldOptions & {
    maxBytes?: number;
    objects?: boolean;
  };
  return declareField({
    options: rest,
    rules: [IsObject(), SmallJson(maxBytes), ...(objects ? [HoldsObjects()] : [])],
    schema: { type: 'object', additionalProperties: objects ? { type: 'object' } : true },
  });
}

const ANY_JSON = ['object', 'array', 'string', 'number', 'boolean'].map((type) => ({
  type,
  ...(type === 'object' && { additionalProperties: true }),
  ...(type === 'array' && { items: {} }),
}));

/** Any JSON value except null, for responses only: requests must be typed. */
export function AnyField<const O extends FieldOptions>(options?: O): FieldDecorator<unknown> {
  return declareField({ options: options ?? {}, rules: [], schema: { anyOf: ANY_JSON } });
}
