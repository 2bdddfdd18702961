import { describe, expect, it } from '@jest/globals';
import { FieldPattern } from './field-pattern.js';

const refusalOf = (pattern: string): unknown => {
  try {
    FieldPattern.compile(pattern);
    return null;
  } catch (error) {
    const { status, code, details } = error as { status: number; code: string; details: { payload: object } };
    return { status, code, ...details.payload };
  }
};

describe('the pattern of a custom field', () => {
  it.each([
    ['[a-z]+', 'abc', true],
    ['[a-z]+', 'abc1', false],
    ['a|ab', 'ab', true],
    ['a|ab', 'xab', false],
    ['\\d{3}', '１２３', false],
    ['\\pL+', 'Größe', true],
    ['.', '😀', true],
    ['.*', 'two\nlines', false],
    ['(?i)abc', 'ABC', true],
    ['\\+?[0-9]{7,15}', '+41446681800', true],
    ['', '', true],
  ])('%p on %p answers for the whole value: %p', (pattern, value, expected) => {
    expect(FieldPattern.compile(pattern).matches(value)).toBe(expected);
  });

  it.each([
    ['a(?=b)', 1],
    ['ab(?!c)', 2],
    ['(?<=a)b', 0],
    ['(?<!a)b', 0],
    ['(a)\\1', 3],
    ['(?P<x>a)\\k<x>', 8],
    ['x(?>a+)', 1],
    ['ab[z-a]', 3],
    ['a{1001}', 1],
    ['*a', 0],
  ])('%p is no expression of RE2 from character %d on', (pattern, offset) => {
    expect(refusalOf(pattern)).toMatchObject({ status: 422, code: 'invalid_regex', offset });
  });

  it.each(['((a{0,1000}){0,1000})', '(a{0,30}){0,40}', '(.{0,100}){0,11}', '.{1000}', '(\\pL{0,50}){0,21}'])(
    '%p is too large',
    (pattern) => {
      expect(refusalOf(pattern)).toMatchObject({ status: 422, code: 'invalid_regex' });
    },
  );

  it.each([
    ['(?:a?){300}', 60, true],
    ['(?:a?){300}', 300, false],
    ['a*', 1_024, true],
    ['[a-c]+', 1_024, true],
  ])('%p stands for no more work than its size times %d characters allows: %p', (pattern, length, expected) => {
    // Each of these matches; only the bound of the work says no.
    expect(new RegExp(`^${pattern}$`).test('a'.repeat(length))).toBe(true);
    expect(FieldPattern.compile(pattern).matches('a'.repeat(length))).toBe(expected);
  });

  it('answers 200 evil patterns in at most 50 ms each, compiled and matched', () => {
    const bodies = ['a', '.', '[a-z]', '\\w', '\\pL', 'a|a', 'a|aa', '.*a', 'x?', '[^b]'];
    const shapes: ((body: string) => string)[] = [
      (body) => `((?:${body})*)*b`,
      (body) => `((?:${body})+)+$`,
      (body) => `(?:(?:${body})*(?:${body})*(?:${body})*)*!`,
      (body) => `(?:(?:${body}){0,30}){0,10}b`,
      (body) => `(?:(?:${body}){0,100}){0,3}b`,
      (body) => `(?:(?:${body}){1,50}\\s?){0,5}!`,
      (body) => `(?:${body}){0,300}b`,
      (body) => `(?:(?:${body})?){40}(?:${body}){40}`,
      (body) => `(?:.*(?:${body}).*){0,20}b`,
      (body) => `(?:(?:(?:${body}){0,7}){0,7}){0,5}b`,
    ];
    const patterns = shapes.flatMap((shape) => bodies.flatMap((body) => [shape(body), `(?i)${shape(body)}`]));
    expect(patterns).toHaveLength(200);
    const values = ['a'.repeat(1_024), `${'a'.repeat(1_023)}!`, '😀'.repeat(1_024), 'é'.repeat(1_024), 'a'.repeat(80)];
    const slow = patterns.filter((pattern) => {
      // What the machine does beside this shows in one run and not in all.
      const times = values.map((value) => Math.min(...[0, 1, 2].map(() => timed(pattern, value))));
      return Math.max(...times) > 50;
    });
    expect(slow).toEqual([]);
  });

  it('is compiled once and forgotten when a thousand others came after it', () => {
    expect(FieldPattern.compile('once')).toBe(FieldPattern.compile('once'));
    for (let n = 0; n < 1_500; n += 1) FieldPattern.compile(`${n}`);
    expect(FieldPattern.cachedCount).toBe(1_000);
  });
});

function timed(pattern: string, value: string): number {
  const start = performance.now();
  try {
    FieldPattern.compile(pattern).matches(value);
  } catch {
    // Too large is an answer as well.
  }
  return performance.now() - start;
}
