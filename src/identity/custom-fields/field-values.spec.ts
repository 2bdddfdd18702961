import { describe, expect, it } from '@jest/globals';
import { worked } from '../../../test/support/worked.js';
import type { ValidationRules } from './missing-field.dto.js';
import type { CustomFieldType } from './custom-field.dto.js';
import { FieldPattern } from './field-pattern.js';
import { assertFieldValues } from './field-values.js';
import { WORK_OF_A_REQUEST } from './pattern-budget.js';

const field = (fieldType: CustomFieldType, validationRules: ValidationRules | null = null, enabled = true) => ({
  key: 'k',
  enabled,
  fieldType,
  validationRules,
});
const messagesOf = async (of: ReturnType<typeof field>, metadata: Record<string, unknown>): Promise<string[]> => {
  try {
    await assertFieldValues([of], metadata);
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
  ])('of %p may be %p', async (of, value) => {
    expect(await messagesOf(of, { k: value, other: 1 })).toEqual([]);
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
  ])('of %p cannot be %p', async (of, value) => {
    expect(await messagesOf(of, { k: value })).toEqual([expect.stringMatching(/^k /)]);
  });

  it('may be left out, and inherited properties are no values', async () => {
    expect(await messagesOf({ ...field('checkbox'), key: 'toString' }, {})).toEqual([]);
  });
});

const LENGTH = 45;
const VALUE = Array.from({ length: LENGTH }, (_, n) => String.fromCharCode(97 + ((n * n * 7) % 26))).join('');
/** A match costs most where the expression is new: it works out what it needs as it meets letters. */
const costlyFields = (letter: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    ...field('text', { regex: `(?:(?:\\pL){0,30}){0,10}${letter}{0,${n}}` }),
    key: `${letter}${n}`,
  }));
const filled = (fields: { key: string }[]) => Object.fromEntries(fields.map(({ key }) => [key, VALUE]));

describe('the values of a hundred costly fields', () => {
  it('are matched as far as the budget of a request reaches, and refused by name beyond it', async () => {
    const fields = costlyFields('x', 10);
    const [first] = fields;
    const affordable = Math.floor(
      WORK_OF_A_REQUEST / FieldPattern.compile(first!.validationRules!.regex!).workOn(VALUE),
    );
    expect(affordable).toBeGreaterThan(4);
    const same = Array.from({ length: affordable + 1 }, (_, n) => ({ ...first!, key: `k${n}` }));
    await assertFieldValues(same, filled(same.slice(0, affordable)));
    const refused: unknown = await assertFieldValues(same, filled(same)).catch((error: unknown) => error);
    const { payload } = (refused as { details: { payload: { additionalMessages: string[] } } }).details;
    expect(payload.additionalMessages).toEqual([`k${affordable} does not have the form that the field asks for`]);
  });

  it('keep nobody else waiting, in twenty requests at once', async () => {
    /** How long the process works without a look at its connections, at the worst, in milliseconds. */
    const stalledBy = async (work: () => unknown): Promise<number> => {
      let worst = 0;
      let seen = worked();
      let isOver = false;
      const look = (): void => {
        worst = Math.max(worst, worked() - seen);
        seen = worked();
        if (!isOver) setImmediate(look);
      };
      setImmediate(look);
      await work();
      await new Promise((resolve) => setImmediate(resolve));
      isOver = true;
      return worst;
    };
    const some = costlyFields('y', 20);
    const withoutTurns = await stalledBy(() => {
      for (const { validationRules } of some) FieldPattern.compile(validationRules!.regex!).matches(VALUE);
    });
    // Memory may have to be collected as well, but not each time.
    const stalls: number[] = [];
    for (const prefix of ['z', 'u', 'v']) {
      const fields = costlyFields(prefix, 100);
      const requests = Array.from({ length: 20 }, (_, n) => filled(fields.slice(n * 5, n * 5 + 5)));
      stalls.push(await stalledBy(() => Promise.all(requests.map((request) => assertFieldValues(fields, request)))));
    }
    const inTurns = Math.min(...stalls);
    expect(inTurns).toBeLessThan(withoutTurns / 3);
    expect(inTurns).toBeLessThan(500);
  }, 60_000);
});
