import { describe, expect, it } from '@jest/globals';
import { text } from './social-vendor.js';

describe('a text in a profile', () => {
  it.each<[unknown, string | null]>([
    ['7', '7'],
    [7, '7'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    // Two accounts whose ids differ in the last digits only would be one.
    [JSON.parse('17841405793187218111'), null],
    [JSON.parse('1e400'), null],
    [-1, null],
    [1.5, null],
    ['', null],
    [true, null],
    [['7'], null],
  ])('that is %j is read as %j', (value, read) => {
    expect(text(value)).toBe(read);
  });
});
