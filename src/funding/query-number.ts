import { Transform } from 'class-transformer';
import { Min } from 'class-validator';
import { declareField } from '../common/fields/declare-field.js';
import type { FieldOptions } from '../common/fields/field-meta.js';
import { IsFiniteNumber } from '../common/fields/field-rules.js';
import type { Declared, FieldDecorator } from '../common/fields/field-types.js';

const DECIMAL = /^\d{1,15}(\.\d{1,18})?$/;

/** A non-negative number in a query string. */
export function QueryNumber<const O extends FieldOptions>(options?: O): FieldDecorator<Declared<number, O>> {
  const parse = ({ value }: { value: unknown }): unknown =>
    typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
  return declareField({
    options: options ?? {},
    rules: [Transform(parse), IsFiniteNumber(), Min(0)],
    schema: { type: 'number' },
  });
}
