import { ArrayMaxSize, IsArray, IsInt, Min } from 'class-validator';
import { declareField } from '../../common/fields/declare-field.js';
import type { FieldOptions } from '../../common/fields/field-meta.js';
import type { Declared, FieldDecorator } from '../../common/fields/field-types.js';

/** A list of at most 100 non-negative integers. */
export function NumberListField<const O extends FieldOptions>(options: O): FieldDecorator<Declared<number[], O>> {
  return declareField({
    options,
    rules: [IsArray(), ArrayMaxSize(100), IsInt({ each: true }), Min(0, { each: true })],
    schema: { type: 'array', items: { type: 'number' } } as never,
    list: true,
  });
}
