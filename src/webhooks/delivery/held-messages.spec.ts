import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { claimedMessage } from './claimed-message.fixture.js';
import type { ClaimedMessage } from './claimed-message.js';
import type { ClaimsRepository } from './claims.repository.js';
import { HeldMessages } from './held-messages.js';

describe('messages held by a process', () => {
  const renewed: ClaimedMessage[][] = [];
  let held: HeldMessages;

  beforeEach(() => {
    jest.useFakeTimers();
    renewed.length = 0;
    const renew = (messages: readonly ClaimedMessage[]): Promise<void> => {
      if (messages.length > 0) renewed.push([...messages]);
      return Promise.resolve();
    };
    held = new HeldMessages({ renew } as unknown as ClaimsRepository);
  });
  afterEach(() => {
    held.stop();
    jest.useRealTimers();
  });

  it('keep their lease until they are released, and are left alone while they are new', () => {
    const [slow, quick, late] = [claimedMessage(), claimedMessage(), claimedMessage()];
    held.take([slow, quick]);
    jest.advanceTimersByTime(3_000);
    held.release([quick]);
    held.take([late]);
    jest.advanceTimersByTime(1_000);
    expect(renewed).toEqual([[slow]]);
    jest.advanceTimersByTime(4_000);
    expect(renewed).toEqual([[slow], [slow, late]]);
    held.release([slow, late]);
    jest.advanceTimersByTime(20_000);
    expect(renewed).toHaveLength(2);
    held.take([slow]);
    jest.advanceTimersByTime(8_000);
    expect(renewed.at(-1)).toEqual([slow]);
  });

  it('are let go of when they are held for longer than anything takes: others may send them', () => {
    const [stuck, later] = [claimedMessage(), claimedMessage()];
    held.take([stuck]);
    jest.advanceTimersByTime(40_000);
    expect(renewed.at(-1)).toEqual([stuck]);
    held.take([later]);
    jest.advanceTimersByTime(8_000);
    expect(renewed.at(-1)).toEqual([later]);
    const before = renewed.length;
    jest.advanceTimersByTime(60_000);
    expect(renewed.slice(before)).toEqual(Array(9).fill([later]));
  });

  it('have an age, and one that is not held is as old as can be', () => {
    const message = claimedMessage();
    held.take([message]);
    jest.advanceTimersByTime(1_500);
    expect(held.age(message)).toBeCloseTo(1_500, 0);
    held.release([message]);
    expect(held.age(message)).toBe(Infinity);
  });
});
