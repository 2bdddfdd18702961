import { describe, expect, it } from '@jest/globals';
import { stays } from './moving-part.js';

class Parcel {}

describe('a table that stays behind', () => {
  it('has a reason that tells operators something, in at least ten characters', () => {
    for (const reason of ['', 'cache', 'no longer', 'no need   '])
      expect(() => stays(reason, Parcel)).toThrow('reason');
    expect(stays('sent again', Parcel)).toEqual([{ entity: Parcel, reason: 'sent again' }]);
  });
});
