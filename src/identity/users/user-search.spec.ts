import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../common/errors/index.js';
import { escapeLike, userSearchOf } from './user-search.js';

const ID = '0190b5a0-0000-7000-8000-000000000001';

function refusal(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.status).toBe(400);
    return (error.details.payload as { fields: { field: string }[] }).fields[0]?.field;
  }
}

describe('a search for users', () => {
  it('is the newest twenty of all when nothing is asked for', () => {
    expect(userSearchOf({})).toEqual({
      order: { column: 'createdAt', descending: true },
      offset: 0,
      limit: 20,
      includeSessions: false,
      match: null,
      provider: null,
      chain: null,
      duplicates: false,
    });
  });

  it.each([
    ['email-asc', { column: 'email', descending: false }],
    ['lastVisit-desc', { column: 'lastVisit', descending: true }],
  ])('may be ordered by %s', (orderBy, order) => {
    expect(userSearchOf({ orderBy }).order).toEqual(order);
  });

  it.each(['id-asc', 'metadata-desc', 'Email-asc', '-asc', 'constructor-asc'])(
    'may not be ordered by %s',
    (orderBy) => {
      expect(refusal(() => userSearchOf({ orderBy }))).toBe('orderBy');
    },
  );

  it.each([
    [{ filterValue: 'ana' }, { by: 'part', column: 'all', pattern: '%ana%' }],
    [
      { filterValue: ' ana ', filterColumn: 'email' },
      { by: 'part', column: 'email', pattern: '%ana%' },
    ],
    [
      { filterValue: '日本語', filterColumn: 'alias' },
      { by: 'part', column: 'alias', pattern: '%日本語%' },
    ],
    [{ filterValue: ID }, { by: 'id', id: ID }],
    [
      { filterValue: ID.toUpperCase(), filterColumn: 'id' },
      { by: 'id', id: ID },
    ],
    [
      { filterValue: 'x', filterColumn: 'id' },
      { by: 'id', id: '00000000-0000-0000-0000-000000000000' },
    ],
    [{ filterValue: `0x${'aB'.repeat(20)}` }, { by: 'address', address: `0x${'aB'.repeat(20)}` }],
    ...[
      '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
      'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
      'cosmos1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d27',
      'VCMJKWOY5P5P7SKMZFFOCEROPJCZOTIJMNIYNUCKH7LRO45JMJP6UYBIJA',
      '0x1654653399040a61',
    ].map((address) => [{ filterValue: address }, { by: 'address', address }] as const),
    [{ filterValue: 'AdaLovelaceOfTheAnalyticaAngine' }, expect.objectContaining({ by: 'part' })],
    [
      { filterValue: 'a', filterColumn: 'walletPublicKey' },
      { by: 'address', address: 'a' },
    ],
    [
      { filterValue: 'a', filterColumn: 'wallet' },
      { by: 'address', address: 'a' },
    ],
    [
      { filterValue: '7', filterColumn: 'accountId' },
      { by: 'account', accountId: '7' },
    ],
    [{ filterColumn: 'email' }, null],
    [{ filterValue: '  ' }, null],
  ] as const)('for %j looks for %j', (filter, match) => {
    expect(userSearchOf({ filter }).match).toEqual(match);
  });

  it.each(['all', 'email', 'alias', 'firstName', 'lastName', 'phoneNumber', 'jobTitle', 'username'] as const)(
    'for a part of %s needs three characters',
    (filterColumn) => {
      expect(refusal(() => userSearchOf({ filter: { filterColumn, filterValue: 'ab' } }))).toBe('filter.filterValue');
      expect(refusal(() => userSearchOf({ filter: { filterColumn, filterValue: '😀😀' } }))).toBe('filter.filterValue');
      expect(userSearchOf({ filter: { filterColumn, filterValue: 'abc' } }).match).not.toBeNull();
    },
  );

  it.each([
    ['100%', '100\\%'],
    ['a_b', 'a\\_b'],
    ['a\\b', 'a\\\\b'],
    ['plain', 'plain'],
  ])('takes %s literally', (text, escaped) => {
    expect(escapeLike(text)).toBe(escaped);
  });
});
