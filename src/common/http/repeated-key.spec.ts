import { describe, expect, it } from '@jest/globals';
import { worked } from '../../../test/support/worked.js';
import { hasRepeatedKey } from './repeated-key.js';

const repeats = (json: string): boolean => hasRepeatedKey(Buffer.from(json));

describe('a JSON text', () => {
  it.each([
    '{"a":1,"a":2}',
    '{"a":1,"b":{"c":1,"c":2}}',
    '[{"a":1},{"a":1,"a":1}]',
    '{"a":[1,{"b":2}],"c":"x","a":3}',
    '{"a":1,"\\u0061":2}',
    '{"\\"":1, "b":2 , "\\"" : 3}',
    '{"é":1,"\\u00e9":2}',
    '{"__proto__":1,"__proto__":2}',
  ])('names a key twice: %s', (json) => {
    expect(repeats(json)).toBe(true);
  });

  it.each([
    '{"a":"a","b":"a"}',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":2}]',
    '["a","a"]',
    '{"a":["b","b","a"],"b":1}',
    '{"a":"\\",\\"a\\":1","b":"{\\"a\\":1,\\"a\\":2}"}',
    '{"":1," ":2}',
    '"a"',
    '',
    '}}]]{"a',
    '{"a\\',
  ])('names no key twice: %s', (json) => {
    expect(repeats(json)).toBe(false);
  });

  it('of the largest size is read in no time to speak of, however deep', () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 8_000 }, (_, n) => [`k${n}`, n])));
    for (const json of [deep, wide]) {
      const before = worked();
      expect(repeats(json)).toBe(false);
      expect(worked() - before).toBeLessThan(1_000);
    }
  });
});
