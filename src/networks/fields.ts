import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsInt, IsString, MaxLength, Min } from 'class-validator';
import { declareField } from '../common/fields/declare-field.js';
import type { FieldOptions } from '../common/fields/field-meta.js';
import type { Declared, FieldDecorator } from '../common/fields/field-types.js';
import { mayRepeat } from '../common/http/query.js';

const NUMBER = /^\d{1,15}$/;

/** A network number in a query string: a non-negative integer. */
export function QueryNetwork<const O extends FieldOptions>(options?: O): FieldDecorator<Declared<number, O>> {
  const parse = ({ value }: { value: unknown }): unknown =>
    typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
  return declareField({
    options: options ?? {},
    rules: [Transform(parse), IsInt(), Min(0)],
    schema: { type: 'number' },
  });
}

/** A list of at most `most` network numbers. */
export function NetworkListField<const O extends FieldOptions & { most: number }>(
  options: O,
): FieldDecorator<Declared<number[], O>> {
  return declareField({
    options,
    rules: [IsArray(), ArrayMaxSize(options.most), IsInt({ each: true }), Min(0, { each: true })],
    schema: { type: 'array', items: { type: 'number' } } as never,
    list: true,
  });
}

/** The same for a query string: the parameter is repeated, or its values are separated by commas. */
export function QueryTexts<const O extends FieldOptions & { most: number; longest: number }>(
  options: O,
): FieldDecorator<Declared<string[], O>> {
  const list = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(',') : value));
  const declared = texts<O>(options, [list]);
  return (target: object, key: string) => {
    mayRepeat(key);
    declared(target as never, key as never);
  };
}

/** A list of at most `most` texts of at most `longest` characters, without limits in the OpenAPI document. */
export function TextListField<const O extends FieldOptions & { most: number; longest: number }>(
  options: O,
): FieldDecorator<Declared<string[], O>> {
  return texts(options, []);
}

const texts = <const O extends FieldOptions & { most: number; longest: number }>(
  options: O,
  first: PropertyDecorator[],
): FieldDecorator<Declared<string[], O>> =>
  declareField({
    options,
    rules: [
      ...first,
      IsArray(),
      ArrayMaxSize(options.most),
      IsString({ each: true }),
      MaxLength(options.longest, { each: true }),
    ],
    schema: { type: 'array', items: { type: 'string' } } as never,
    list: true,
  });
