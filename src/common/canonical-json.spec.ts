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

  it('does not depend on the order of members, at any depth', () => {
    expect(canonicalJson({ b: 1, a: { d: [1, { z: 1, y: 2 }], c: null } })).toBe(
      canonicalJson({ a: { c: null, d: [1, { y: 2, z: 1 }] }, b: 1 }),
    );
  });

  it('tells values apart that are not the same JSON', () => {
    const structures = [{}, [], [[]], { a: null }, { a: [] }, { a: '' }, ['a,b'], ['a', 'b'], [1, 2], [2, 1]];
    const values = [...structures, null, '', 0, false, 'null', '0', new Date(0), new Date(1)];
    expect(new Set(values.map(canonicalJson)).size).toBe(values.length);
  });

  it('writes what can write itself, such as a date', () => {
    expect(canonicalJson({ at: new Date(0) })).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
  });
});
