import { describe, expect, it } from '@jest/globals';
import { isUndecided, nameOf, reasonIn, textOf } from './vendor-refusal.js';

describe('what a vendor refuses', () => {
  it.each([
    [408, true],
    [409, true],
    [425, true],
    [400, false],
    [401, false],
    [403, false],
    [404, false],
    [422, false],
  ])('with status %d may have been done all the same: %s', (status, isOpen) => {
    expect(isUndecided(status)).toBe(isOpen);
  });

  it.each<[unknown, string]>([
    ['guest_transaction_limit', 'guest_transaction_limit'],
    ['ERROR: too small', 'ERROR: too small'],
    ['x'.repeat(101), 'unknown'],
    ['<b>secret</b>', 'unknown'],
    ['two\nlines', 'unknown'],
    ['', 'unknown'],
    [7, 'unknown'],
    [undefined, 'unknown'],
  ])('for %j is told as %j', (given, told) => {
    expect(reasonIn(given)).toBe(told);
  });
});

describe('the text of a vendor', () => {
  it.each<[unknown, string | null]>([
    ['R-1', 'R-1'],
    ['', null],
    [7, null],
    // What cannot be written down would be lost after the vendor has acted.
    ['R\u0000', null],
    ['R\ud800', null],
  ])('that is %j is read as %j', (given, read) => {
    expect(textOf(given)).toBe(read);
  });

  it('names something only if it is short enough to be stored as a name', () => {
    expect(['x'.repeat(255), 'x'.repeat(256), 'R\u0000'].map(nameOf)).toEqual(['x'.repeat(255), null, null]);
  });
});
