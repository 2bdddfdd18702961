import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsObject,
  IsString,
  Matches,
  MaxLength,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { declareField } from './declare-field.js';
import type { FieldClass, FieldOptions } from './field-meta.js';
import { IsUuid } from './field-rules.js';
import type { Declared, FieldDecorator } from './field-types.js';
import type { EnumDefinition } from './scalar-fields.js';

/**
 * Part of another context's resource: documented as the component of that name, which must exist in the document, and
 * serialised as `type` declares. For responses only.
 */
export function ComponentField<T extends object, const O extends FieldOptions>(
  component: string,
  type: () => FieldClass<T>,
  options?: O,
): FieldDecorator<Declared<T, O>> {
  return declareField({
    options: options ?? {},
    rules: [],
    schema: { allOf: [{ $ref: `#/components/schemas/${component}` }], type: 'object' } as never,
    kind: 'class',
    nested: type,
  });
}

/** Another declared class. The thunk lets classes refer to each other across files. */
export function RefField<T extends object, const O extends FieldOptions>(
  type: () => FieldClass<T>,
  options?: O,
): FieldDecorator<Declared<T, O>> {
  return declareField({
    options: options ?? {},
    rules: [IsObject(), ValidateNested(), Type(type as () => never)],
    // The document generator treats a thunk as lazy only if it is named `type`.
    schema: { type: () => type() as never },
    kind: 'class',
    nested: type,
  });
}

interface ListOptions extends FieldOptions {
  /** Minimum number of items. */
  min?: number;
  /** Maximum number of items in requests, 100 by default. Documented only when given. */
  max?: number;
  /** Like `max`, but never documented: for lists that the document leaves unbounded. */
  most?: number;
}

const DEFAULT_MAX_ITEMS = 100;
const sizeRules = ({ min, max, most = DEFAULT_MAX_ITEMS }: ListOptions): PropertyDecorator[] => [
  IsArray(),
  ...(min !== undefined ? [ArrayMinSize(min)] : []),
  ArrayMaxSize(max ?? most),
];
const sizeSchema = ({ min, max }: ListOptions): object => ({
  ...(min !== undefined && { minItems: min }),
  ...(max !== undefined && { maxItems: max }),
});

/** A list of another declared class. */
export function ListField<T extends object, const O extends ListOptions>(
  type: () => FieldClass<T>,
  options?: O,
): FieldDecorator<Declared<T[], O>> {
  const list: ListOptions = options ?? {};
  return declareField({
    options: list,
    rules: [...sizeRules(list), IsObject({ each: true }), ValidateNested({ each: true }), Type(type as () => never)],
    schema: { type: () => type() as never, isArray: true, ...sizeSchema(list) },
    kind: 'class',
    list: true,
    nested: type,
  });
}

interface TextItemOptions extends ListOptions {
  minLength?: number;
  maxLength?: number;
  /** Like `maxLength`, but never documented: for lists that the document leaves unbounded. */
  mostLength?: number;
  format?: 'uuid';
  pattern?: RegExp;
}

/** A list of strings of at most 1 024 characters each by default. */
export function StringListField<const O extends TextItemOptions>(options?: O): FieldDecorator<Declared<string[], O>> {
  const list: TextItemOptions = options ?? {};
  const uuid = list.format === 'uuid' ? { format: 'uuid', minLength: 36, maxLength: 36 } : {};
  const items = {
    type: 'string',
    ...uuid,
    ...(list.minLength !== undefined && { minLength: list.minLength }),
    ...(list.maxLength !== undefined && { maxLength: list.maxLength }),
    ...(list.pattern && { pattern: list.pattern.source }),
  };
  return declareField({
    options: list,
    rules: [
      ...sizeRules(list),
      IsString({ each: true }),
      MaxLength(list.maxLength ?? list.mostLength ?? 1024, { each: true }),
      ...(list.minLength !== undefined ? [MinLength(list.minLength, { each: true })] : []),
      ...(list.format === 'uuid' ? [IsUuid({ each: true })] : []),
      ...(list.pattern ? [Matches(list.pattern, { each: true })] : []),
    ],
    schema: { type: 'array', items, ...sizeSchema(list) } as never,
    list: true,
  });
}

/** A list of values of one enumeration. */
export function EnumListField<T extends string, const O extends ListOptions>(
  definition: EnumDefinition<T>,
  options?: O,
): FieldDecorator<Declared<T[], O>> {
  const list: ListOptions = options ?? {};
  return declareField({
    options: list,
    rules: [...sizeRules(list), IsIn(definition.values, { each: true })],
    schema: { enum: [...definition.values], enumName: definition.name, isArray: true, ...sizeSchema(list) },
    list: true,
  });
}
