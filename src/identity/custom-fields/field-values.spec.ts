import { describe, expect, it } from '@jest/globals';
import type { ValidationRules } from './missing-field.dto.js';
import type { CustomFieldType } from './custom-field.dto.js';
import { assertFieldValues } from './field-values.js';

const field = (fieldType: CustomFieldType, validationRules: ValidationRules | null = null, enabled = true) => ({
  key: 'k',
  enabled,
  fieldType,
  validationRules,
});
const messagesOf = (of: ReturnType<typeof field>, metadata: Record<string, unknown>): string[] => {
  try {
    assertFieldValues([of], metadata);
    return [];
  } catch (error) {
    const { code, details } = error as {
      code: string;
      details: { payload: { additionalMessages: string[] } };
    };
    expect(code).toBe('invalid_metadata_value');
    return details.payload.additionalMessages;
  }
};
const OPTIONS = { validOptions: [{ label: 'Red', key: 'r' }, { label: 'Blue' }] };

describe('the values of custom fields', () => {
  it.each([
    [field('text'), 'anything'],
    [field('text', { regex: '[a-z]+' }), 'abc'],
    [field('text', { regex: '' }), '123'],
    [field('select', OPTIONS), 'r'],
    [field('select', OPTIONS), 'Red'],
    [field('select', OPTIONS), 'Blue'],
    [field('checkbox'), false],
    [field('checkbox'), null],
    [field('text', { regex: '[a-z]+' }), ''],
    [field('checkbox', null, false), 'not asked for'],
    [field('text'), '😀'.repeat(1_024)],
    [field('text'), 'x'.repeat(1_023)],
  ])('of %p may be %p', (of, value) => {
    expect(messagesOf(of, { k: value, other: 1 })).toEqual([]);
  });

  it.each([
    [field('text'), 1],
    [field('text'), ['a']],
    [field('text', { regex: '[a-z]+' }), 'abc1'],
    [field('select', OPTIONS), 'red'],
    [field('select', OPTIONS), true],
    [field('checkbox'), 'true'],
    [field('text'), '😀'.repeat(1_025)],
    [field('text'), 'x'.repeat(1_025)],
  ])('of %p cannot be %p', (of, value) => {
    expect(messagesOf(of, { k: value })).toEqual([expect.stringMatching(/^k /)]);
  });

  it('may be left out, and inherited properties are no values', () => {
    expect(messagesOf({ ...field('checkbox'), key: 'toString' }, {})).toEqual([]);
  });
});
