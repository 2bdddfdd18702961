import { describe, expect, it } from '@jest/globals';
import { receipt } from '../checkers/history.fixture.js';
import { repetitions } from './f02-failpoints.js';

describe('a message that was sent again', () => {
  const sent = (messageId: string, connection: number, at: number) =>
    receipt({ messageId, connection, at, endedAt: at + 5 });

  it('is explained by a sender whose connections ended right after the request before', () => {
    const receipts = [sent('a', 1, 0), sent('b', 1, 1), sent('a', 2, 13_000), sent('b', 3, 13_000)];
    const { explained, unexplained } = repetitions({ receipts, connectionEnds: new Map([[1, 400]]) });
    expect([...explained]).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
    expect(unexplained).toEqual([]);
  });

  it('is not, when the sender lived on or ended much later', () => {
    const receipts = [sent('a', 1, 0), sent('a', 2, 100), sent('a', 2, 5_000)];
    const { explained, unexplained } = repetitions({ receipts, connectionEnds: new Map([[2, 90_000]]) });
    expect(explained.size).toBe(0);
    expect(unexplained).toEqual(['a', 'a']);
  });
});
