import { describe, expect, it } from '@jest/globals';
import { encodeAbiParameters, pad, parseAbiParameters, type Hex } from 'viem';
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

  it('has nothing of a call that failed, whatever it returned', () => {
    expect(decodeAggregate(answer(done, failed), 2)).toEqual([
      { value: '0x01', blockNumber: 7n },
      { value: null, blockNumber: 7n },
    ]);
  });

  it.each([0, 2])('is garbage where there are not as many as asked: %d', (count) => {
    expect(() => decodeAggregate(answer(done), count)).toThrow('another number of calls');
  });
});

it('a quantity has 32 bytes at most', () => {
  expect(quantityOf({ result: `0x${'f'.repeat(64)}` })).toBe(2n ** 256n - 1n);
  for (const result of [`0x1${'0'.repeat(64)}`, '0x', '0xg', 7])
    expect(() => quantityOf({ result })).toThrow('not a quantity');
});
