import { describe, expect, it } from '@jest/globals';
import { findPayout, reachesBackTo } from './find-payout.js';

const sentAt = new Date('2026-11-20T12:00:00Z');
const sought = { id: 'p-1', recipient: '0xAbC', amount: '0.5', currency: 'ETH', sentAt };
const equal = { reference: 'r-1', amount: -0.5, currency: 'ETH', recipient: '0xabc', createdAt: sentAt };

describe('a payout whose answer was lost', () => {
  it('is the one with its key, whatever else is equal', () => {
    const keyed = { ...equal, reference: 'r-2', amount: -0.49, idempotencyKey: 'p-1' };
    expect(findPayout(sought, [equal, keyed], new Set())?.reference).toBe('r-2');
  });

  it('is the equal one where the vendor keeps no keys', () => {
    expect(findPayout(sought, [equal], new Set())?.reference).toBe('r-1');
  });

  it.each([
    ['one of another payout', equal, ['r-1']],
    ['one with another key', { ...equal, idempotencyKey: 'p-2' }, []],
    ['another amount', { ...equal, amount: -0.51 }, []],
    ['another address', { ...equal, recipient: '0xdef' }, []],
    ['a deposit', { ...equal, recipient: null }, []],
    ['another currency', { ...equal, currency: 'BTC' }, []],
    ['one that is older', { ...equal, createdAt: new Date(sentAt.getTime() - 3_600_000) }, []],
  ])('is not %s', (_, transaction, ofOthers) => {
    expect(findPayout(sought, [transaction], new Set(ofOthers))).toBeNull();
  });
});

describe('a list of transactions without the payout', () => {
  const listed = (count: number, agoMs: number) =>
    Array.from({ length: count }, () => ({ ...equal, createdAt: new Date(sentAt.getTime() - agoMs) }));

  it('says that it has not arrived where the list is whole, or goes back to before', () => {
    expect(reachesBackTo(sentAt, [])).toBe(true);
    expect(reachesBackTo(sentAt, listed(99, -1_000))).toBe(true);
    expect(reachesBackTo(sentAt, [...listed(99, -1_000), ...listed(1, 600_000)])).toBe(true);
  });

  it('says nothing where it was cut off after the payout', () => {
    expect(reachesBackTo(sentAt, listed(100, -1_000))).toBe(false);
  });
});
