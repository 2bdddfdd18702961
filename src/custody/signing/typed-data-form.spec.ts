import { describe, expect, it } from '@jest/globals';
import { hashTypedData, type TypedDataDefinition } from 'viem';
import { worked } from '../../../test/support/worked.js';
import { readSignable } from './read-signable.js';
import type { TypedData } from './signing-request.js';
import { addressOf, refusal } from './signing.fixture.js';

type Members = { name: string; type: string }[];

const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const domain = { name: 'Mail', version: '1', chainId: 1, verifyingContract: to };

const data = (types: Record<string, Members>, message: object, more: Partial<TypedData> = {}): TypedData => ({
  domain,
  types,
  primaryType: 'Main',
  message: message as TypedData['message'],
  ...more,
});
const refusalOf = (typedData: TypedData): string => refusal('EVM', { kind: 'typedData', typedData });
const digestOf = (typedData: TypedData): string =>
  `0x${readSignable({ chain: 'EVM', address: addressOf('EVM') }, { kind: 'typedData', typedData }).digest.toString('hex')}`;
const hashed = (typedData: TypedData): string => hashTypedData(typedData as unknown as TypedDataDefinition);

/** Each level is followed once for every member of its type. */
function tower(levels: number, nameOf: (member: number) => string): Record<string, Members> {
  const level = (at: number): Members =>
    Array.from({ length: 10 }, (_, member) => ({ name: nameOf(member), type: `T${at + 1}` }));
  const inner = Array.from({ length: levels }, (_, at) => [`T${at}`, level(at)] as const);
  return { Main: [{ name: 'a', type: 'T0' }], ...Object.fromEntries(inner), [`T${levels}`]: [] };
}

const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });
const long = `L${'x'.repeat(30_000)}`;

describe('typed data that would take long to hash', () => {
  it.each<[string, TypedData, RegExp]>([
    [
      'two members of one name',
      data(
        tower(10, () => 'a'),
        nested(11),
      ),
      /two members of one name/,
    ],
    [
      'members that objects inherit',
      data({ Main: [{ name: 'constructor', type: 'Main' }] }, {}),
      /does not fit its types/,
    ],
    [
      'a long name, once for each of many structs',
      data(
        { Main: [{ name: 'all', type: `${long}[]` }], [long]: [] },
        { all: Array.from({ length: 10_000 }, () => ({})) },
      ),
      /too long or no name/,
    ],
    [
      'long types, once for each of many structs',
      data(
        {
          Main: [{ name: 'all', type: 'Item[]' }],
          Item: [{ name: 'one', type: 'Part' }],
          Part: [],
          Other: Array.from({ length: 300 }, (_, at) => ({ name: `${'n'.repeat(100)}${at}`, type: 'uint256' })),
        },
        { all: Array.from({ length: 5_000 }, () => ({ one: {} })) },
      ),
      /more than 2000 structs/,
    ],
    [
      'brackets without an end',
      data({ Main: [{ name: 'a', type: `${'[]'.repeat(15_000)}x` }] }, { a: [] }),
      /too long or no name/,
    ],
    [
      'a text that is said to be long',
      data({ Main: [{ name: 'a', type: 'string' }] }, { a: { length: 2_000_000_000 } }),
      /does not fit its types/,
    ],
  ])('never %s', (_, typedData, reason) => {
    const before = worked();
    expect(refusalOf(typedData)).toMatch(reason);
    expect(worked() - before).toBeLessThan(500);
  });

  it('as much as a marketplace asks for is hashed as ever', () => {
    const types = {
      Main: [{ name: 'orders', type: 'Order[2][]' }],
      Order: [
        { name: 'offerer', type: 'address' },
        { name: 'offer', type: 'Item[]' },
        { name: 'salt', type: 'uint256' },
        { name: 'note', type: 'string' },
        { name: 'data', type: 'bytes' },
        { name: 'isOpen', type: 'bool' },
      ],
      Item: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint256' },
        { name: 'kind', type: 'bytes32' },
      ],
    };
    const item = { token: to, amount: '7', kind: `0x${'ab'.repeat(32)}` };
    const order = { offerer: to, offer: Array(10).fill(item), salt: 1, note: 'é', data: '0x12', isOpen: true };
    const typedData = data(types, { orders: Array.from({ length: 20 }, () => [order, order]) });
    expect(digestOf(typedData)).toBe(hashed(typedData));
  });
});

describe('what is hashed for a type is of no other', () => {
  it.each<[string, TypedData]>([
    [
      'a type',
      data(
        { 'Main(uint256 a)Other': [{ name: 'b', type: 'uint256' }] },
        { b: 1 },
        { primaryType: 'Main(uint256 a)Other' },
      ),
    ],
    ['a member', data({ Main: [{ name: 'a,uint256 b', type: 'uint256' }] }, { 'a,uint256 b': 1 })],
    ['a type that is looked like a list', data({ 'Main[]': [], Main: [{ name: 'a', type: 'Main[]' }] }, { a: [] })],
    ['a type of Solidity', data({ Main: [{ name: 'a', type: 'uint8[]' }], uint8: [] }, { a: [{}] })],
    ['a list of none', data({ Main: [{ name: 'a', type: 'bool[0]' }] }, { a: [] })],
    ['a list whose length begins with zero', data({ Main: [{ name: 'a', type: 'bool[01]' }] }, { a: [true] })],
  ])('no name of %s has what separates names', (_, typedData) => {
    expect(refusalOf(typedData)).toMatch(/no name/);
  });

  it.each(['A$B', 'A:B', 'A.B', 'A-B', '1A', 'É', ''])(
    '%p is no name, so what depends on it is hashed with it',
    (name) => {
      const inner = { [name]: [{ name: 'c', type: 'C' }], C: [{ name: 'x', type: 'uint256' }] };
      const typedData = data({ Main: [{ name: 'a', type: name }], ...inner }, { a: { c: { x: 5 } } });
      expect(refusalOf(typedData)).toMatch(/no name/);
      expect(refusalOf({ ...typedData, primaryType: name, message: { c: { x: 5 } } })).toMatch(/no name/);
      expect(refusalOf(data({ Main: [{ name, type: 'bool' }] }, { [name]: true }))).toMatch(/no name/);
    },
  );

  it('a name with a colon is one of what is signed as a whole, as some venues write them', () => {
    const primaryType = 'Venue:Send';
    const typedData = data({ [primaryType]: [{ name: 'to', type: 'address' }] }, { to }, { primaryType });
    expect(digestOf(typedData)).toBe(hashed(typedData));
    const beside = data({ ...typedData.types, Main: [{ name: 'to', type: 'address' }] }, { to });
    expect(refusalOf(beside)).toMatch(/no name/);
  });

  it.each<[string, Members, unknown]>([
    ['a list that is shorter than its type', [{ name: 'a', type: 'uint256[2]' }], [1]],
    ['a number as an object', [{ name: 'a', type: 'uint256' }], {}],
    ['a fraction', [{ name: 'a', type: 'uint256' }], 1.5],
    ['a number out of range', [{ name: 'a', type: 'uint8' }], 256],
    ['an unknown type', [{ name: 'a', type: 'money' }], '1'],
    ['an inherited type', [{ name: 'a', type: 'constructor' }], {}],
    ['null', [{ name: 'a', type: 'string' }], null],
  ])('%s fits nothing', (_, members, a) => {
    expect(refusalOf(data({ Main: members }, { a }))).toMatch(/fit its types/);
  });
});

describe('the domain', () => {
  const types = { Main: [{ name: 'to', type: 'address' }] };

  it('with a chain as text is hashed with its chain', () => {
    const asText = data(types, { to }, { domain: { ...domain, chainId: '1' } });
    expect(digestOf(asText)).toBe(hashed(data(types, { to })));
    const other = { ...domain, salt: `0x${'00'.repeat(31)}89` };
    const without = data(types, { to }, { domain: { ...other, chainId: '1' } });
    expect(digestOf(without)).toBe(hashed(data(types, { to }, { domain: other })));
  });

  it('is hashed with a version that is empty', () => {
    const empty = { ...domain, version: '' };
    const whole = ['name', 'version', 'chainId', 'verifyingContract'].map((name, at) => ({
      name,
      type: ['string', 'string', 'uint256', 'address'][at]!,
    }));
    expect(digestOf(data(types, { to }, { domain: empty }))).toBe(
      hashed(data({ ...types, EIP712Domain: whole }, { to }, { domain: empty })),
    );
  });

  it.each<[string, Partial<TypedData>, RegExp]>([
    [
      'a type that names one member twice and leaves the chain out',
      { domain: { name: 'Mail', chainId: 1 } },
      /one name/,
    ],
    ['no chain but zero', { domain: { ...domain, chainId: 0 } }, /names no chain|EIP712Domain/],
  ])('is never one of %s', (_, more, reason) => {
    const name = { name: 'name', type: 'string' };
    expect(refusalOf(data({ ...types, EIP712Domain: [name, name] }, { to }, more))).toMatch(reason);
  });
});
