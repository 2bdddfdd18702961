import { describe, expect, it } from '@jest/globals';
import { encodeAbiParameters, pad, toEventSelector, toHex, zeroAddress, type Address, type Hex } from 'viem';
import { approvalsOf, movementsOf, NATIVE_LOG } from './event-logs.js';

const TOKEN = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB';
const OWNER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const SPENDER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const topic = (value: Address | bigint): Hex => (typeof value === 'bigint' ? toHex(value, { size: 32 }) : pad(value));
const amount = (value: bigint): Hex => encodeAbiParameters([{ type: 'uint256' }], [value]);
const log = (event: string, indexed: (Address | bigint)[], data: Hex = '0x') => ({
  address: TOKEN,
  topics: [toEventSelector(event), ...indexed.map(topic)],
  data,
});
const approval = (value: bigint) =>
  approvalsOf(log('Approval(address,address,uint256)', [OWNER, SPENDER], amount(value)))[0]!;

describe('the log of an approval', () => {
  it.each([
    ['all of 256 bits', 2n ** 256n - 1n, 'all'],
    ['all of 160 bits', 2n ** 160n - 1n, 'all'],
    ['all of 96 bits, as COMP and UNI keep them', 2n ** 96n - 1n, 'all'],
    ['much that is still a number', 10n ** 33n, 10n ** 33n],
    ['one more than a double can tell', 2n ** 53n + 1n, 2n ** 53n + 1n],
    ['nothing', 0n, 0n],
  ])('of %s is %s as %s', (_, value, expected) => {
    expect(approval(value)).toMatchObject({ token: TOKEN, owner: OWNER, spender: SPENDER, amount: expected });
  });

  it('of an NFT to nobody takes one back', () => {
    const of = (spender: Address) => approvalsOf(log('Approval(address,address,uint256)', [OWNER, spender, 7n]))[0]!;
    expect(of(SPENDER)).toMatchObject({ kind: 'ERC721', amount: 1n, tokenId: 7n });
    expect(of(zeroAddress)).toMatchObject({ kind: 'ERC721', amount: 0n });
  });
});

describe('the log of an approval for a collection', () => {
  it.each([
    [1n, 'all'],
    [0n, 0n],
  ])('with %s gives %s', (value, expected) => {
    const [approved] = approvalsOf(log('ApprovalForAll(address,address,bool)', [OWNER, SPENDER], amount(value)));
    expect(approved).toMatchObject({ token: TOKEN, owner: OWNER, spender: SPENDER, amount: expected });
  });
});

describe('the log of a movement', () => {
  const transfer = log('Transfer(address,address,uint256)', [OWNER, SPENDER], amount(5n));

  it('is of coins where its contract stands for them, and of one token where it names which', () => {
    const parties = { from: OWNER, to: SPENDER };
    expect(movementsOf({ ...transfer, address: NATIVE_LOG.toLowerCase() })).toEqual([
      { token: null, kind: 'NATIVE', ...parties, amount: 5n },
    ]);
    expect(movementsOf(log('Transfer(address,address,uint256)', [OWNER, SPENDER, 7n]))).toEqual([
      { token: TOKEN, kind: 'ERC721', ...parties, amount: 1n, tokenId: 7n },
    ]);
  });

  it('is that of wrapped coins only in the form that they have', () => {
    for (const event of ['Deposit(address,uint256)', 'Withdrawal(address,uint256)']) {
      expect(movementsOf(log(event, [OWNER], amount(5n)))).toHaveLength(1);
      expect(movementsOf(log(event, [OWNER, SPENDER], amount(5n)))).toEqual([]);
    }
  });

  it('has a hundred tokens at most', () => {
    const many = Array.from({ length: 101 }, () => 1n);
    const data = encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [many, many]);
    const batch = 'TransferBatch(address,address,address,uint256[],uint256[])';
    expect(movementsOf(log(batch, [OWNER, OWNER, SPENDER], data))).toHaveLength(100);
  });

  it('has every digit', () => {
    const value = 2n ** 200n + 1n;
    const [moved] = movementsOf(log('Transfer(address,address,uint256)', [OWNER, SPENDER], amount(value)));
    expect(moved).toEqual({ token: TOKEN, kind: 'ERC20', from: OWNER, to: SPENDER, amount: value });
  });

  it('that is malformed tells nothing', () => {
    expect(movementsOf(log('Transfer(address,address,uint256)', [OWNER]))).toEqual([]);
    const batch = 'TransferBatch(address,address,address,uint256[],uint256[])';
    expect(movementsOf(log(batch, [OWNER, OWNER, SPENDER], '0x1234'))).toEqual([]);
  });
});
