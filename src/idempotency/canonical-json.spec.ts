import { describe, expect, it } from '@jest/globals';
import { canonicalJson } from './canonical-json.js';

describe('the canonical form of a body', () => {
  it('does not depend on the order of members, at any depth', () => {
    expect(canonicalJson({ b: 1, a: { d: [1, { z: 1, y: 2 }], c: null } })).toBe(
      canonicalJson({ a: { c: null, d: [1, { y: 2, z: 1 }] }, b: 1 }),
    );
    expect(canonicalJson({ b: 1, a: 'x' })).toBe('{"a":"x","b":1}');
  });

  it('tells values apart that are not the same JSON', () => {
    const values = [
      {},
      [],
      null,
      '',
      0,
      false,
      'null',
      '0',
      [[]],
      { a: null },
      { a: [] },
      { a: '' },
      ['a,b'],
      ['a', 'b'],
    ];
    expect(new Set(values.map(canonicalJson)).size).toBe(values.length);
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
  });

  it('takes an absent body and members without a value for what JSON makes of them', () => {
    expect(canonicalJson({ body: undefined, a: 1 })).toBe('{"a":1}');
    expect(canonicalJson(undefined)).toBe('null');
  });
});
