import { describe, expect, it } from '@jest/globals';
import { findPayout, mayHideAPayout, reachesBackTo } from './find-payout.js';

const sentAt = new Date('2026-11-20T12:00:00Z');
const sought = { id: 'p-1', recipient: '0xAbC', amount: '0.5', currency: 'ETH', sentAt };
const equal = { reference: 'r-1', amount: -0.5, currency: 'ETH', recipient: '0xabc', createdAt: sentAt };

describe('a payout whose answer was lost', () => {
  it('is the one with its key, whatever else is equal', () => {
    const keyed = { ...equal, reference: 'r-2', amount: -0.49, idempotencyKey: 'p-1' };
    expect(findPayout(sought, [equal, keyed], [])?.reference).toBe('r-2');
    expect(findPayout(sought, [equal, keyed], [{ reference: null, amount: '0.5' }])?.reference).toBe('r-2');
  });

  it('is found though the clock of the vendor is a minute behind', () => {
    const early = { ...equal, createdAt: new Date(sentAt.getTime() - 60_000) };
    expect(findPayout(sought, [early], [])?.reference).toBe('r-1');
  });

  it('is the equal one where the vendor keeps no keys', () => {
    expect(findPayout(sought, [equal], [])?.reference).toBe('r-1');
  });

  it.each([
    ['one of another payout', equal, [{ reference: 'r-1', amount: '0.5' }]],
    ['one with another key', { ...equal, idempotencyKey: 'p-2' }, []],
    ['another amount', { ...equal, amount: -0.51 }, []],
    ['another address', { ...equal, recipient: '0xdef' }, []],
    ['a deposit', { ...equal, recipient: null }, []],
    ['another currency', { ...equal, currency: 'BTC' }, []],
    ['one that is older', { ...equal, createdAt: new Date(sentAt.getTime() - 3_600_000) }, []],
  ])('is not %s', (_, transaction, ofOthers) => {
    expect(findPayout(sought, [transaction], ofOthers)).toBeNull();
  });
});

describe('a payout that is listed with a fee', () => {
  const listed = { ...equal, amount: -0.4995, asked: ['0.5', '0.4995'] };
  const spending = (amount: string) => ({ ...sought, amount });
  const ownedBy = (amount: string) => ({ reference: 'r-1', amount });

  it('is the one that was asked for with its fee, or without', () => {
    expect(findPayout(sought, [listed], [])?.reference).toBe('r-1');
    expect(findPayout(spending('0.4995'), [listed], [])?.reference).toBe('r-1');
  });

  it('is rather the one whose fee belongs to it, in whatever order they are listed', () => {
    const own = { ...listed, reference: 'r-2', asked: ['0.4995', '0.499'] };
    expect(findPayout(spending('0.4995'), [listed, own], [])?.reference).toBe('r-2');
  });

  it('is never an amount that a double cannot tell from it', () => {
    const near = { ...listed, asked: ['1234567.12345678901', '1234567.12345678801'] };
    expect(findPayout(spending('1234567.12345678902'), [near], [])).toBeNull();
    expect(findPayout(spending('1234567.12345678901'), [near], [])?.reference).toBe('r-1');
  });

  it('is not one of another amount, which may hide it unless it is known to be another payout', () => {
    const odd = { ...listed, asked: ['0.5001', '0.4999'] };
    expect(findPayout(sought, [odd], [])).toBeNull();
    expect(mayHideAPayout(sought, [odd], [])).toBe(true);
    expect(mayHideAPayout(sought, [odd], [ownedBy('0.3')])).toBe(false);
    expect(mayHideAPayout(sought, [{ ...odd, recipient: '0xdef' }], [])).toBe(false);
    expect(mayHideAPayout(sought, [{ ...odd, currency: 'BTC' }], [])).toBe(false);
    const before = new Date(sentAt.getTime() - 3_600_000);
    expect(mayHideAPayout(sought, [{ ...odd, createdAt: before }], [])).toBe(false);
  });

  it('is left to another that is open, which it is likelier to be', () => {
    const open = { reference: null, amount: '0.5' };
    expect(findPayout(spending('0.4995'), [listed], [open])).toBeNull();
    expect(mayHideAPayout(spending('0.4995'), [listed], [open])).toBe(true);
    expect(findPayout(sought, [listed], [{ ...open, amount: '0.4995' }])?.reference).toBe('r-1');
  });

  it('is still missing where it may have been taken for one of another amount, not where an equal one was there before', () => {
    expect(findPayout(sought, [listed], [ownedBy('0.4995')])).toBeNull();
    expect(mayHideAPayout(sought, [listed], [ownedBy('0.4995')])).toBe(true);
    expect(mayHideAPayout(sought, [listed], [ownedBy('0.5')])).toBe(false);
  });

  it('is hidden by nothing where the exchange lists what it was asked for', () => {
    expect(mayHideAPayout(sought, [{ ...equal, amount: -0.51 }], [])).toBe(false);
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
