import { describe, expect, it } from '@jest/globals';
import { encodeAbiParameters, pad, parseAbiParameters, zeroAddress, type Hex } from 'viem';
import { decodeAggregate, quantityOf } from './evm-answers.js';

const RESULT = parseAbiParameters('uint256, bytes32, (bool success, bytes returnData)[]');

describe('the answer to calls that are made together', () => {
  const answer = (...results: { success: boolean; returnData: Hex }[]) => ({
    result: encodeAbiParameters(RESULT, [7n, pad('0x1'), results]),
  });
  const [done, failed] = [
    { success: true, returnData: '0x01' },
    { success: false, returnData: '0x02' },
  ] as const;

  const call = { to: zeroAddress, data: '0x' } as const;

  it('has nothing of a call that failed, whatever it returned', () => {
    expect(decodeAggregate(answer(done, failed), [call, call])).toEqual([
      { value: '0x01', blockNumber: 7n },
      { value: null, blockNumber: 7n },
    ]);
  });

  it.each([0, 2])('is garbage where there are not as many as asked: %d', (count) => {
    const reads = Array.from({ length: count }, () => call);
    expect(() => decodeAggregate(answer(done), reads)).toThrow('another number of calls');
  });

  it('has each balance of the native currency, as one word', () => {
    const balance = { balanceOf: zeroAddress };
    const none = { success: true, returnData: pad('0x0') };
    expect(decodeAggregate(answer(none), [balance])).toEqual([{ value: pad('0x0'), blockNumber: 7n }]);
    const others = ['0x', '0x01', `0x${'0'.repeat(66)}`] as const;
    for (const other of [{ ...none, success: false }, ...others.map((returnData) => ({ ...none, returnData }))])
      expect(() => decodeAggregate(answer(other), [balance])).toThrow('answered no balance');
  });
});

it('a quantity has 32 bytes at most', () => {
  expect(quantityOf({ result: `0x${'f'.repeat(64)}` })).toBe(2n ** 256n - 1n);
  for (const result of [`0x1${'0'.repeat(64)}`, '0x', '0xg', 7])
    expect(() => quantityOf({ result })).toThrow('not a quantity');
});
