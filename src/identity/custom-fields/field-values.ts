import type { CustomFieldRow } from './custom-field.entity.js';
import { invalidMetadataValue } from './custom-field.errors.js';
import { FieldPattern } from './field-pattern.js';

/** Longest value of a text field, in code points. */
const MAX_CODE_POINTS = 1_024;

type Field = Pick<CustomFieldRow, 'key' | 'enabled' | 'fieldType' | 'validationRules'>;

/** Whether the metadata holds what the enabled fields allow, or nothing, for each of them. @throws invalidMetadataValue */
export function assertFieldValues(fields: readonly Field[], metadata: Readonly<Record<string, unknown>>): void {
  const additionalMessages = fields.flatMap((field) => {
    const value = Object.hasOwn(metadata, field.key) ? metadata[field.key] : null;
    const wrong = field.enabled && value !== null && value !== '' ? faultOf(field, value) : null;
    return wrong === null ? [] : [`${field.key} ${wrong}`];
  });
  if (additionalMessages.length > 0) throw invalidMetadataValue({ payload: { additionalMessages } });
}

function faultOf({ fieldType, validationRules: rules }: Field, value: unknown): string | null {
  switch (fieldType) {
    case 'checkbox':
      return typeof value === 'boolean' ? null : 'must be true or false';
    case 'select': {
      const options = rules?.validOptions ?? [];
      return options.some(({ label, key }) => value === key || value === label) ? null : 'must be one of its options';
    }
    case 'text':
      return textFault(value, rules?.regex);
  }
}

function textFault(value: unknown, regex: string | undefined): string | null {
  if (typeof value !== 'string') return 'must be a text';
  // A text has at most as many code points as code units, which need not be counted one by one.
  if (value.length > MAX_CODE_POINTS && [...value].length > MAX_CODE_POINTS) {
    return `must have at most ${MAX_CODE_POINTS} characters`;
  }
  return regex && !FieldPattern.compile(regex).matches(value) ? 'does not have the form that the field asks for' : null;
}
