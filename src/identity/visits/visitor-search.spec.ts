import { describe, expect, it } from '@jest/globals';
import { visitorSearchOf } from './visitor-search.js';

const id = 'A0000000-0000-4000-8000-000000000001';

describe('a search for visitors', () => {
  it('is for the newest twenty when nothing is said', () => {
    expect(visitorSearchOf({})).toEqual({ descending: true, offset: 0, limit: 20, match: null, chain: null });
  });

  it.each([
    [{ filterValue: id }, { by: 'id', id: id.toLowerCase() }],
    [
      { filterColumn: 'all', filterValue: ' 0xAb ' },
      { by: 'address', address: '0xAb' },
    ],
    [
      { filterColumn: 'walletPublicKey', filterValue: id },
      { by: 'address', address: id },
    ],
    [
      { filterColumn: 'id', filterValue: 'no id' },
      { by: 'id', id: '00000000-0000-0000-0000-000000000000' },
    ],
    [{ filterColumn: 'id', filterValue: '  ' }, null],
    [{ filterColumn: 'id' }, null],
  ] as const)('%j looks for %j', (filter, match) => {
    expect(visitorSearchOf({ filter }).match).toEqual(match);
  });

  it('knows one order, both ways', () => {
    expect(visitorSearchOf({ orderBy: 'createdAt-asc' }).descending).toBe(false);
    expect(() => visitorSearchOf({ orderBy: 'address-asc' })).toThrow('not valid');
  });
});
