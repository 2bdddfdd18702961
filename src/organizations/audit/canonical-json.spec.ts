import { describe, expect, it } from '@jest/globals';
import { canonicalJson } from './canonical-json.js';

describe('canonical JSON', () => {
  it('sorts members by the UTF-16 units of their names, as in RFC 8785 section 3.2.3', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(Object.values(JSON.parse(canonicalJson(value)) as object)).toHaveLength(7);
    expect([...canonicalJson(value).matchAll(/:"([A-Z]\w+)/g)].map(([, word]) => word)).toEqual([
      'Carriage',
      'One',
      'Control',
      'Latin',
      'Euro',
      'Emoji',
      'Hebrew',
    ]);
  });

  it('writes numbers and literals as in RFC 8785 section 3.2.2', () => {
    const numbers = [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001, -0];
    expect(canonicalJson({ numbers, literals: [null, true, false] })).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0]}',
    );
  });

  it('leaves out what JSON leaves out, and has no white space', () => {
    expect(canonicalJson({ b: undefined, a: [undefined, { d: 1, c: 'x y' }], e: {} })).toBe(
      '{"a":[null,{"c":"x y","d":1}],"e":{}}',
    );
    expect(canonicalJson(undefined)).toBe('null');
  });
});
