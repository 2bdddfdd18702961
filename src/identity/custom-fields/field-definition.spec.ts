import { describe, expect, it } from '@jest/globals';
import type { CustomFieldRequest } from './custom-field.dto.js';
import { assertSoundField } from './field-definition.js';

const field = (more: Partial<CustomFieldRequest>): CustomFieldRequest => ({
  name: 'Field',
  enabled: true,
  required: false,
  fieldType: 'text',
  position: 0,
  ...more,
});
const codeOf = (more: Partial<CustomFieldRequest>): string | null => {
  try {
    assertSoundField(field(more));
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const options = (...labels: string[]) => labels.map((label) => ({ label }));

describe('the definition of a custom field', () => {
  it('takes the rules of its type, and empty ones of others', () => {
    const empty = { unique: false, regex: '', validOptions: [], checkboxText: '' };
    expect(codeOf({ validationRules: { ...empty, unique: true, regex: '[a-z]+' } })).toBeNull();
    expect(codeOf({ fieldType: 'select', validationRules: { ...empty, validOptions: options('a') } })).toBeNull();
    expect(codeOf({ fieldType: 'checkbox', validationRules: { ...empty, checkboxText: 'I agree' } })).toBeNull();
    expect(codeOf({ fieldType: 'checkbox' })).toBeNull();
  });

  it.each<Partial<CustomFieldRequest>>([
    { fieldType: 'text', validationRules: { validOptions: options('a') } },
    { fieldType: 'text', validationRules: { checkboxText: 'I agree' } },
    { fieldType: 'checkbox', validationRules: { unique: true } },
    { fieldType: 'select', validationRules: { validOptions: options('a'), regex: 'a' } },
    { fieldType: 'select' },
  ])('refuses rules of other types: %p', (more) => {
    expect(codeOf(more)).toBe('unfit_validation_rules');
  });

  it.each([
    [options('a', 'a')],
    [
      [
        { label: 'a', key: 'x' },
        { label: 'b', key: 'x' },
      ],
    ],
    [[{ label: 'a', key: 'x' }, { label: 'x' }]],
  ])('refuses options that a value could not tell apart: %p', (validOptions) => {
    expect(codeOf({ fieldType: 'select', validationRules: { validOptions } })).toBe('repeated_options');
  });

  it('takes options whose key is their label', () => {
    const validOptions = [{ label: 'a', key: 'a' }, { label: 'b' }];
    expect(codeOf({ fieldType: 'select', validationRules: { validOptions } })).toBeNull();
  });

  it.each([
    [-1, 'invalid_position'],
    [0, null],
    [1, null],
    [999_999, null],
    [1_000_000, null],
    [1_000_001, 'invalid_position'],
  ])('at position %d answers %p', (position, code) => {
    expect(codeOf({ position })).toBe(code);
  });
});
