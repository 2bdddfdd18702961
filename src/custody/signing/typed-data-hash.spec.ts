import { describe, expect, it } from '@jest/globals';
import { hashTypedData, type TypedDataDefinition } from 'viem';
import { worked } from '../../../test/support/worked.js';
import { readSignable } from './read-signable.js';
import type { TypedData } from './signing-request.js';
import { addressOf, refusal } from './signing.fixture.js';

const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const word = `0x${'ab'.repeat(32)}`;

/** Types as Solidity writes structs: `uint256 amount, address to`. */
const types = (structs: Record<string, string>): TypedData['types'] =>
  Object.fromEntries(
    Object.entries(structs).map(([name, members]) => [
      name,
      members.split(', ').map((member) => {
        const [type, called] = member.split(' ') as [string, string];
        return { type, name: called };
      }),
    ]),
  );
const one = (type: string, a: unknown, domain: object = { chainId: 1 }): TypedData => ({
  ...{ types: { Main: [{ name: 'a', type }] }, primaryType: 'Main', message: { a } },
  domain: domain as TypedData['domain'],
});
const refusalOf = (typedData: TypedData): string => refusal('EVM', { kind: 'typedData', typedData });
const digestOf = (typedData: TypedData): string =>
  `0x${readSignable({ chain: 'EVM', address: addressOf('EVM') }, { kind: 'typedData', typedData }).digest.toString('hex')}`;
const hashed = (typedData: TypedData): string => hashTypedData(typedData as unknown as TypedDataDefinition);
const misfit = /^the data does not fit its types/;

describe('a digest is that of other wallets', () => {
  const item = { itemType: 2, token: to, identifierOrCriteria: '7', startAmount: '1', endAmount: 1 };
  const order = {
    ...{ offerer: to, zone: to, offer: [item], consideration: [{ ...item, recipient: to }], orderType: 0 },
    ...{ startTime: 1_700_000_000, endTime: '1800000000', zoneHash: word, salt: `0x00${'12'.repeat(8)}` },
    ...{ conduitKey: word, counter: 0 },
  };
  const seaport = types({
    BulkOrder: 'OrderComponents[2][2][2][2][2] tree',
    OrderComponents:
      'address offerer, address zone, OfferItem[] offer, ConsiderationItem[] consideration, uint8 orderType, uint256 startTime, uint256 endTime, bytes32 zoneHash, uint256 salt, bytes32 conduitKey, uint256 counter',
    OfferItem: 'uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount',
    ConsiderationItem:
      'uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount, address recipient',
  });
  const domain = (name: string) => ({ name, version: '1', chainId: 1, verifyingContract: to });
  const pairs = (depth: number): unknown => (depth === 0 ? order : [pairs(depth - 1), pairs(depth - 1)]);
  const details = { token: to, amount: '1461501637330902918203684832716283019655932542975', expiration: 1, nonce: 0 };

  it.each<[string, TypedData]>([
    [
      'a permit (EIP-2612)',
      {
        types: types({
          EIP712Domain: 'string name, string version, uint256 chainId, address verifyingContract',
          Permit: 'address owner, address spender, uint256 value, uint256 nonce, uint256 deadline',
        }),
        ...{ primaryType: 'Permit', domain: domain('USD Coin') },
        message: { owner: to, spender: to, value: `${2n ** 256n - 1n}`, nonce: 0, deadline: 1_800_000_000 },
      },
    ],
    [
      'a batch of Permit2',
      {
        types: types({
          PermitBatch: 'PermitDetails[] details, address spender, uint256 sigDeadline',
          PermitDetails: 'address token, uint160 amount, uint48 expiration, uint48 nonce',
        }),
        ...{ primaryType: 'PermitBatch', domain: { name: 'Permit2', chainId: 1, verifyingContract: to } },
        message: { details: Array(100).fill(details), spender: to, sigDeadline: '1' },
      },
    ],
    ['an order', { types: seaport, primaryType: 'OrderComponents', domain: domain('Seaport'), message: order }],
    [
      'a tree of orders',
      { types: seaport, primaryType: 'BulkOrder', domain: domain('Seaport'), message: { tree: pairs(5) } },
    ],
    [
      'structs within themselves',
      {
        types: types({ Node: 'Leaf[2][] leaves, Node[] nodes, string note', Leaf: 'int8 at, bytes data, bool isRed' }),
        ...{ primaryType: 'Node', domain: { chainId: 1, salt: word } },
        message: {
          leaves: [
            [
              { at: -128, data: '0x', isRed: true },
              { at: '-1', data: '0xABcd', isRed: false },
            ],
          ],
          nodes: [{ leaves: [], nodes: [], note: 'é ✓' }],
          note: '',
        },
      },
    ],
  ])('%s', (_, typedData) => {
    expect(digestOf(typedData)).toBe(hashed(typedData));
  });

  it('the example of EIP-712', () => {
    const mail: TypedData = {
      types: types({ Person: 'string name, address wallet', Mail: 'Person from, Person to, string contents' }),
      primaryType: 'Mail',
      domain: { ...domain('Ether Mail'), verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC' },
      message: {
        from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
        to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
        contents: 'Hello, Bob!',
      },
    };
    expect(digestOf(mail)).toBe('0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2');
  });

  it('without members that no type has', () => {
    const typedData = one('uint256', 1);
    expect(digestOf({ ...typedData, message: { a: 1, b: 2 } })).toBe(hashed(typedData));
  });
});

describe('of values', () => {
  it.each<[string, unknown, unknown]>([
    ['uint256', Number.MAX_SAFE_INTEGER, `${Number.MAX_SAFE_INTEGER}`],
    ['uint256', '9007199254740993', 9_007_199_254_740_993n],
    ['uint256', `0x${'0'.repeat(63)}5`, 5],
    ['uint8', '255', 255],
    ['int16', '-32768', -32_768],
    ['bytes', '0xAB', '0xab'],
    ['address', to.toLowerCase(), to],
  ])('%s may be %p', (type, value, same) => {
    expect(digestOf(one(type, value))).toBe(hashed(one(type, same)));
  });

  it.each<[string, unknown]>([
    ...[' 5 ', '5 ', '', '0b101', '0o7', '0x', '0X5', '0xg', '-0', '+5', '05', '1e3', '1.0', '1_0', '５'].map(
      (value): [string, unknown] => ['uint256', value],
    ),
    ...['-1', -1, `${2n ** 256n}`, `0x1${'0'.repeat(64)}`, true, null, [], {}, Infinity].map(
      (value): [string, unknown] => ['uint256', value],
    ),
    ...[128, '128', '-129', '0xff'].map((value): [string, unknown] => ['int8', value]),
    ...[256, '256', -1].map((value): [string, unknown] => ['uint8', value]),
    ...['hello', '0xzz', '0x123', '', '12', '0x1 ', 'é'.repeat(2), 5, ['0x']].map((value): [string, unknown] => [
      'bytes',
      value,
    ]),
    ...['a'.repeat(32), `0x${'1'.repeat(63)}`, `0x${'1'.repeat(66)}`, '0x', `0x${'z'.repeat(64)}`].map(
      (value): [string, unknown] => ['bytes32', value],
    ),
    ['bytes4', word],
    ...['0x12', to.slice(2), to.replace('C8', 'c8'), `${to}00`, to.toUpperCase(), 5].map((value): [string, unknown] => [
      'address',
      value,
    ]),
    ...['true', 1, 0, null].map((value): [string, unknown] => ['bool', value]),
    ...[5, true, {}, ['x'], '\ud800'].map((value): [string, unknown] => ['string', value]),
    ['uint8[2]', [1, 2, 3]],
    ['uint8[2][2]', [[1, 2], [1]]],
    ['uint8[]', { length: 0 }],
    ['uint8[]', [300]],
    ['bytes4[]', ['aaaa']],
  ])('%s is never %p', (type, value) => {
    expect(refusalOf(one(type, value))).toMatch(misfit);
  });

  it.each([
    'uint0',
    'uint7',
    'uint264',
    'uint999',
    'uint08',
    'uint',
    'int',
    'int257',
    'bytes0',
    'bytes33',
    'fixed',
    'Other',
  ])('there is no type %s', (type) => {
    expect(refusalOf(one(type, 0))).toMatch(misfit);
    expect(refusalOf(one(`${type}[]`, []))).toMatch(misfit);
  });

  it('numbers that JSON rounds are to be text', () => {
    for (const text of ['9007199254740993', '9007199254740992', '1000000000000000000000000000001']) {
      const typedData = JSON.parse(JSON.stringify(one('uint256', 'X')).replace('"X"', text)) as TypedData;
      expect(refusalOf(typedData)).toBe(
        'the data does not fit its types: a is a number that JSON rounds, write it as text',
      );
    }
  });

  it.each<[string, object]>([
    ['name', { name: 5 }],
    ['name', { name: {} }],
    ['version', { version: 1 }],
    ['verifyingContract', { verifyingContract: '0x12' }],
    ['verifyingContract', { verifyingContract: to.replace('C8', 'c8') }],
    ['salt', { salt: 'hello' }],
    ['salt', { salt: '0x00' }],
  ])('the %s of a domain is of its type', (name, domain) => {
    expect(refusalOf(one('uint8', 1, { chainId: 1, ...domain }))).toMatch(`does not fit its types: ${name} is no`);
  });

  it.each([' 1 ', '0b1', '1.0', '01', '-1', 0, 2 ** 53, true, [1], null])('%p is no chain', (chainId) => {
    expect(refusalOf(one('uint8', 1, { chainId }))).toBe('the domain names no chain');
  });
});

describe('the time that it takes', () => {
  const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
  const empty = (count: number): TypedData => ({
    ...one('Part[]', many(count, {})),
    types: { Main: [{ name: 'a', type: 'Part[]' }], Part: [] },
  });

  it.each<[string, TypedData]>([
    ['structs', empty(21_000)],
    ['texts', one('string[]', many(21_000, ''))],
    ['items', one('bool[]', many(12_000, true))],
    ['lists', one('bool[][]', many(21_000, []))],
  ])('is bounded, whatever there are too many of: %s', (_, typedData) => {
    expect(refusalOf(typedData)).toBe('it has more than 2000 structs, lists, texts and items');
  });

  it('is bounded for types that depend on each other', () => {
    const names = Array.from({ length: 300 }, (__, at) => `T${at}`);
    const members = names.map((type) => ({ name: type, type }));
    const filler = { name: 'f'.repeat(60), type: 'bool' };
    const part = { m: [], [filler.name]: true };
    const typedData = {
      ...one('', 0),
      types: {
        Main: members,
        ...Object.fromEntries(names.map((name) => [name, [{ name: 'm', type: 'Main[]' }, filler]])),
      },
      message: Object.fromEntries(names.map((name) => [name, part])),
    };
    expect(refusalOf(typedData)).toBe('its types are too long');
  });

  it('is no longer than reading it, for as much as there may be', () => {
    for (const most of [empty(1_997), one('string[]', many(1_997, 'x'.repeat(28)))]) {
      digestOf(most);
      const before = worked();
      digestOf(most);
      expect(worked() - before).toBeLessThan(200);
      expect(digestOf(most)).toBe(hashed(most));
    }
  });
});
