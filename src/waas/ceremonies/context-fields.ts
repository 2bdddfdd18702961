import { ArrayMaxSize, buildMessage, IsArray, IsObject, IsString, MaxLength, ValidateBy } from 'class-validator';
import { declareField } from '../../common/fields/declare-field.js';
import type { FieldOptions } from '../../common/fields/field-meta.js';
import { SmallJson } from '../../common/fields/field-rules.js';
import type { Declared, FieldDecorator } from '../../common/fields/field-types.js';

const MAX_TEXT = 16_384;
const MAX_TRANSACTIONS = 100;

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

const IsTextOrRaw = (): PropertyDecorator =>
  ValidateBy({
    name: 'isTextOrRaw',
    validator: {
      validate: (value: unknown) => typeof value === 'string' || typeof membersOf(value)['raw'] === 'string',
      defaultMessage: buildMessage((each) => `${each}$property must be a text, or an object with a text as raw`),
    },
  });

const isTypeMember = (value: unknown): boolean => {
  const { name, type } = membersOf(value);
  return typeof name === 'string' && typeof type === 'string';
};

const HoldsTypes = (): PropertyDecorator =>
  ValidateBy({
    name: 'holdsTypes',
    validator: {
      validate: (value: unknown) =>
        Object.values(membersOf(value)).every((each) => Array.isArray(each) && each.every(isTypeMember)),
      defaultMessage: buildMessage((each) => `${each}$property must hold lists of members with name and type`),
    },
  });

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
    rules: [IsTextOrRaw(), SmallJson(MAX_TEXT)],
    schema: { anyOf: [{ type: 'string' }, raw] },
  });
}

/** The EIP-712 types, by name. */
export function TypesField<const O extends FieldOptions>(
  options?: O,
): FieldDecorator<Declared<Record<string, unknown>, O>> {
  const text = { type: 'string' };
  const member = { type: 'object', properties: { name: text, type: text }, required: ['name', 'type'] };
  return declareField({
    options: options ?? {},
    rules: [IsObject(), HoldsTypes(), SmallJson(MAX_TEXT)],
    schema: { type: 'object', additionalProperties: { type: 'array', items: member } } as never,
  });
}
