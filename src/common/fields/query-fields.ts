import { Transform, Type } from 'class-transformer';
import { IsBoolean, IsInt, IsObject, Max, Min, ValidateNested } from 'class-validator';
import { declareField } from './declare-field.js';
import type { FieldClass, FieldOptions } from './field-meta.js';
import type { Declared, FieldDecorator } from './field-types.js';

/** At most 15 digits, so that every accepted text is an exact number. */
const INTEGER = /^-?\d{1,15}$/;

interface QueryRange extends FieldOptions {
  min?: number;
  max?: number;
  /** Documented; the service applies it when the parameter is absent. */
  default?: number;
}

/** An integer in a query string. Other text is left unchanged and fails validation. */
export function QueryInteger<const O extends QueryRange>(options?: O): FieldDecorator<Declared<number, O>> {
  const { min, max, default: fallback, ...rest }: QueryRange = options ?? {};
  return declareField({
    options: rest,
    rules: [
      Transform(({ value }: { value: unknown }) =>
        typeof value === 'string' && INTEGER.test(value) ? Number(value) : value,
      ),
      IsInt(),
      ...(min !== undefined ? [Min(min)] : []),
      ...(max !== undefined ? [Max(max)] : []),
    ],
    schema: {
      type: 'integer',
      ...(min !== undefined && { minimum: min }),
      ...(max !== undefined && { maximum: max }),
      ...(fallback !== undefined && { default: fallback }),
    },
  });
}

const BOOLEANS: Record<string, boolean> = { true: true, false: false };

/** `true` or `false` in a query string. */
export function QueryBoolean<const O extends FieldOptions>(options?: O): FieldDecorator<Declared<boolean, O>> {
  const parse = Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && Object.hasOwn(BOOLEANS, value) ? BOOLEANS[value] : value,
  );
  return declareField({ options: options ?? {}, rules: [parse, IsBoolean()], schema: { type: 'boolean' } });
}

/** Parameters of the form `name[key]=value`, collected in a declared class (OpenAPI style `deepObject`). */
export function QueryGroup<T extends object, const O extends FieldOptions>(
  type: () => FieldClass<T>,
  options?: O,
): FieldDecorator<Declared<T, O>> {
  return declareField({
    options: options ?? {},
    rules: [IsObject(), ValidateNested(), Type(type as () => never)],
    schema: { type: () => type() as never, style: 'deepObject', explode: true } as never,
    kind: 'class',
    nested: type,
  });
}
