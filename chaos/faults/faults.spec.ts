import { describe, expect, it } from '@jest/globals';
import { receipt } from '../checkers/history.fixture.js';
import { MUTATIONS } from '../builds/mutations.js';
import { takeovers } from './f01-worker-killed.js';
import { FAULTS } from './index.js';

const numberOf = (id: string): number => Number(id.slice(1));

describe('the fault table', () => {
  it('is in the order of its numbers, each of them once', () => {
    const numbers = FAULTS.map(({ id }) => numberOf(id));
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  });

  it('gives every fault a title and a criterion', () => {
    for (const { title, criterion } of FAULTS) expect([title, criterion].every((text) => text.length > 10)).toBe(true);
  });

  it('has a planted mistake for each letter, once', () => {
    const letters = MUTATIONS.map(({ letter }) => letter);
    expect(letters).toEqual([...new Set(letters)].toSorted());
  });
});

describe('a takeover', () => {
  it('lasts from the end of a request that was cut off to the next one for its message', () => {
    const cut = receipt({ at: 100, endedAt: 200, status: null, aborted: true });
    const others = [receipt({ messageId: 'message-2', at: 300 }), receipt({ at: 1200, endedAt: 1300 })];
    expect(takeovers([cut, ...others])).toEqual([1000]);
  });
});
