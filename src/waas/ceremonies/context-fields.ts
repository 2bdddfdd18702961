import { ArrayMaxSize, IsArray, IsObject, IsString, MaxLength } from 'class-validator';
import { declareField } from '../../common/fields/declare-field.js';
import type { FieldOptions } from '../../common/fields/field-meta.js';
import { SmallJson } from '../../common/fields/field-rules.js';
import type { Declared, FieldDecorator } from '../../common/fields/field-types.js';

const MAX_TEXT = 16_384;
const MAX_TRANSACTIONS = 100;

/** Transactions as text, each longer than the items of other lists. */
export function TransactionListField<const O extends FieldOptions>(options?: O): FieldDecorator<Declared<string[], O>> {
  return declareField({
    options: options ?? {},
    rules: [IsArray(), ArrayMaxSize(MAX_TRANSACTIONS), IsString({ each: true }), MaxLength(MAX_TEXT, { each: true })],
    schema: { type: 'array', items: { type: 'string' } } as never,
    list: true,
  });
}

/** Text, or bytes as `{raw}`. */
export function EvmMessageField<const O extends FieldOptions>(options?: O): FieldDecorator<unknown> {
  const raw = { type: 'object', properties: { raw: { type: 'string' } }, required: ['raw'] };
  return declareField({
    options: options ?? {},
    rules: [SmallJson(MAX_TEXT)],
    schema: { anyOf: [{ type: 'string' }, raw] },
  });
}

/** The types of EIP-712, by their names. */
export function TypesField<const O extends FieldOptions>(
  options?: O,
): FieldDecorator<Declared<Record<string, unknown>, O>> {
  const text = { type: 'string' };
  const member = { type: 'object', properties: { name: text, type: text }, required: ['name', 'type'] };
  return declareField({
    options: options ?? {},
    rules: [IsObject(), SmallJson(MAX_TEXT)],
    schema: { type: 'object', additionalProperties: { type: 'array', items: member } } as never,
  });
}
