import { describe, expect, it } from '@jest/globals';
import { findPayout } from './find-payout.js';

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
