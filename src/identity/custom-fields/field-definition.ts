import type { ValidationRules } from './missing-field.dto.js';
import type { CustomFieldRequest, CustomFieldType } from './custom-field.dto.js';
import { invalidPosition, repeatedOptions, unfitValidationRules } from './custom-field.errors.js';
import { FieldPattern } from './field-pattern.js';

const MAX_POSITION = 1_000_000;

/** The field type of each rule, and whether it is set (forms send empty values). */
const RULES: Record<keyof ValidationRules, { of: CustomFieldType; isSet: (rules: ValidationRules) => boolean }> = {
  unique: { of: 'text', isSet: ({ unique }) => unique === true },
  regex: { of: 'text', isSet: ({ regex }) => !!regex },
  validOptions: { of: 'select', isSet: ({ validOptions }) => !!validOptions?.length },
  checkboxText: { of: 'checkbox', isSet: ({ checkboxText }) => !!checkboxText },
};

/**
 * Checks that a field can be stored as described.
 * @throws invalidPosition, unfitValidationRules, repeatedOptions, invalidRegex
 */
export function assertSoundField({ fieldType, position, validationRules = {} }: CustomFieldRequest): void {
  if (position < 0 || position > MAX_POSITION) throw invalidPosition();
  for (const rule of Object.values(RULES)) {
    if (rule.of !== fieldType && rule.isSet(validationRules)) throw unfitValidationRules();
  }
  const { regex, validOptions = [] } = validationRules;
  if (fieldType === 'select' && validOptions.length === 0) throw unfitValidationRules();
  assertDistinct(validOptions);
  if (regex) FieldPattern.compile(regex);
}

/** A value refers to an option by key or label, so neither may equal the key or label of another. */
function assertDistinct(options: NonNullable<ValidationRules['validOptions']>): void {
  const names = options.flatMap(({ label, key }) => (key === undefined || key === label ? [label] : [label, key]));
  if (new Set(names).size < names.length) throw repeatedOptions();
}
