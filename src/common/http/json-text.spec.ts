import { describe, expect, it } from '@jest/globals';
import { worked } from '../../../test/support/worked.js';
import { ambiguityOf } from './json-text.js';

const ambiguity = (json: string) => ambiguityOf(Buffer.from(json));

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
    expect(ambiguity(json)).toBe('repeated key');
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
    expect(ambiguity(json)).toBeNull();
  });

  it.each([
    '9007199254740993',
    '{"a":9007199254740993}',
    '{"a":{"b":[1,-9007199254740993]}}',
    '[115792089237316195423570985008687907853269984665640564039457584007913129639935]',
    '{"a":1e400}',
    '{"a":-1E+309}',
    `{"a":1${'0'.repeat(400)}.5}`,
  ])('has a number that JavaScript reads as another one: %s', (json) => {
    expect(ambiguity(json)).toBe('inexact number');
  });

  it.each([
    '9007199254740991',
    '{"a":9007199254740992,"b":-9007199254740992}',
    '{"a":10000000000000000000000}',
    '{"a":1e308,"b":-0,"c":0.1,"d":1.0000000000000000001}',
    '{"a":"9007199254740993","9007199254740993":1}',
    '{"a":"1e400"}',
    '[1,-2,3.5e-7]',
    '{"a":1-1-1-1-1-1-1-1-1-1}',
  ])('has no number that JavaScript reads as another one: %s', (json) => {
    expect(ambiguity(json)).toBeNull();
  });

  it('of the largest size is read in no time to speak of, however deep', () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 8_000 }, (_, n) => [`k${n}`, n])));
    const numbers = JSON.stringify(Array.from({ length: 60_000 }, () => Number.MAX_SAFE_INTEGER));
    for (const json of [deep, wide, numbers]) {
      const before = worked();
      expect(ambiguity(json)).toBeNull();
      expect(worked() - before).toBeLessThan(1_000);
    }
  });
});
