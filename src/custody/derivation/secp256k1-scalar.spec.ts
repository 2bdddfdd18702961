import { describe, expect, it } from '@jest/globals';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { addScalar, isScalar } from './secp256k1-scalar.js';

const N = secp256k1.Point.Fn.ORDER;

const edges = fc.constantFrom(0n, 1n, 2n, N / 2n, N / 2n + 1n, N - 2n, N - 1n, (1n << 255n) - 1n, 1n << 128n);
const scalars = fc.oneof({ weight: 3, arbitrary: fc.bigInt({ min: 0n, max: N - 1n }) }, edges);

function bytesOf(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
}

describe('addScalar', () => {
  it('adds modulo the group order, in place', () => {
    fc.assert(
      fc.property(scalars, scalars, (left, right) => {
        const [target, addend] = [bytesOf(left), bytesOf(right)];
        addScalar(target, addend);

        expect(target.equals(bytesOf((left + right) % N))).toBe(true);
        expect(addend.equals(bytesOf(right))).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    [N - 1n, 1n, 0n],
    [N - 1n, N - 1n, N - 2n],
    [0n, 0n, 0n],
  ])('%s + %s = %s', (left, right, sum) => {
    const target = bytesOf(left);
    addScalar(target, bytesOf(right));

    expect(target.equals(bytesOf(sum))).toBe(true);
  });
});

describe('isScalar', () => {
  it.each([1n, 2n, N - 1n, 1n << 255n])('accepts %s', (value) => {
    expect(isScalar(bytesOf(value))).toBe(true);
  });

  it.each([0n, N, N + 1n, (1n << 256n) - 1n])('refuses %s', (value) => {
    expect(isScalar(bytesOf(value))).toBe(false);
  });
});
