import { ArrayMaxSize, IsArray, IsString, Matches, MaxLength } from 'class-validator';
import { declareField } from './declare-field.js';
import type { FieldOptions } from './field-meta.js';
import { ADDRESS_OR_EMPTY } from './field-rules.js';
import type { Declared, FieldDecorator } from './field-types.js';

/** A list of at most 100 email addresses of at most 255 characters; empty items are allowed and ignored. */
export function EmailListField<const O extends FieldOptions>(options?: O): FieldDecorator<Declared<string[], O>> {
  const item = {
    anyOf: [
      { type: 'string', format: 'email', maxLength: 255 },
      { type: 'string', maxLength: 0 },
    ],
  };
  return declareField({
    options: options ?? {},
    rules: [
      IsArray(),
      ArrayMaxSize(100),
      IsString({ each: true }),
      MaxLength(255, { each: true }),
      Matches(ADDRESS_OR_EMPTY, { each: true }),
    ],
    schema: { type: 'array', items: item } as never,
    list: true,
  });
}
