import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RetryInput } from './retry-schedule.js';
import { Config } from '../config/index.js';
import { judgeResponse, nextAttemptDelayMs, parseRetryAfterMs } from './retry-schedule.js';
import { RetrySchedules } from './retry-schedules.js';

const schedules = new RetrySchedules(Config.load({ NODE_ENV: 'test' }));
const [LIVE_SCHEDULE, SANDBOX_SCHEDULE] = [schedules.of('live'), schedules.of('sandbox')];

const now = new Date('2026-03-01T12:00:00Z');

function delay(input: Partial<RetryInput>): number | null {
  return nextAttemptDelayMs({ schedule: LIVE_SCHEDULE, attempt: 1, now, random: () => 0.5, ...input });
}

describe('the wait before the next attempt', () => {
  it('follows the live schedule and ends after eight attempts', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((attempt) => delay({ attempt }));
    expect(waits).toEqual([15_000, 60_000, 600_000, 3_600_000, 21_600_000, 86_400_000, 172_800_000, null, null]);
  });

  it('follows the sandbox schedule and ends after three attempts', () => {
    expect([1, 2, 3].map((attempt) => delay({ schedule: SANDBOX_SCHEDULE, attempt }))).toEqual([15_000, 45_000, null]);
  });

  it('is null for an attempt that cannot have been made', () => {
    expect([0, -1, 1.5].map((attempt) => delay({ attempt }))).toEqual([null, null, null]);
  });

  it.each([
    [0, 48_000],
    [0.25, 54_000],
    [0.5, 60_000],
    [0.999_999_999, 72_000],
  ])('spreads by 20 %% either way: random %d gives %d ms', (random, expected) => {
    expect(delay({ attempt: 2, random: () => random })).toBe(expected);
  });

  it.each([
    ['a 429', { status: 429 }],
    ['a timeout', { failureKind: 'timeout' as const }],
  ])('is at least a minute after %s, in either schedule and at the low end of the jitter', (_case, failure) => {
    for (const schedule of [LIVE_SCHEDULE, SANDBOX_SCHEDULE]) {
      expect(delay({ schedule, random: () => 0, ...failure })).toBe(60_000);
      expect(delay({ schedule, random: () => 1, ...failure })).toBe(72_000);
    }
    expect(delay({ attempt: 3, random: () => 0, ...failure })).toBe(480_000);
  });

  it.each([
    ['other statuses', { status: 500 }],
    ['a refused connection', { failureKind: 'refused' as const }],
  ])('has no floor after %s', (_case, failure) => {
    expect(delay({ random: () => 0, ...failure })).toBe(12_000);
  });

  it.each([
    ['1', 60_000],
    ['60', 60_000],
    ['90', 90_000],
    ['120', 120_000],
    ['86400', 120_000],
    ['Sun, 01 Mar 2026 12:01:30 GMT', 90_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 60_000],
    ['Mon, 01 Mar 2027 12:00:00 GMT', 120_000],
  ])('honours Retry-After %p between base and twice base: %d ms', (retryAfter, expected) => {
    expect(delay({ attempt: 2, status: 503, retryAfter, random: () => 0 })).toBe(expected);
  });

  it('is never earlier than Retry-After asks, and never past twice the base', () => {
    expect(delay({ attempt: 2, retryAfter: '90', random: () => 1 })).toBe(108_000);
    expect(delay({ attempt: 2, retryAfter: '115', random: () => 1 })).toBe(120_000);
    expect(delay({ retryAfter: '300', status: 429, random: () => 0 })).toBe(120_000);
  });

  it('keeps within its bounds for every input', () => {
    const inputs = fc.record({
      schedule: fc.constantFrom(LIVE_SCHEDULE, SANDBOX_SCHEDULE),
      attempt: fc.integer({ min: 1, max: 7 }),
      status: fc.constantFrom(undefined, 400, 429, 503),
      retryAfter: fc.oneof(fc.constant(undefined), fc.nat().map(String), fc.string()),
      random: fc.double({ min: 0, max: 0.999_999, noNaN: true }).map((value) => () => value),
    });
    fc.assert(
      fc.property(inputs, (input) => {
        const wait = nextAttemptDelayMs({ ...input, now });
        const scheduled = input.schedule[input.attempt];
        if (scheduled === undefined) return expect(wait).toBeNull();
        const floor = input.status === 429 ? 60_000 : 0;
        const base = Math.max(scheduled * 1000, floor);
        const wish = parseRetryAfterMs(input.retryAfter, now);
        const earliest = wish === null ? Math.max(floor, base * 0.8) : Math.min(Math.max(wish, base), 2 * base);
        expect(Number.isInteger(wait)).toBe(true);
        expect(wait).toBeGreaterThanOrEqual(earliest);
        expect(wait).toBeLessThanOrEqual(wish === null ? base * 1.2 : base * 2);
      }),
    );
  });
});

describe('the schedules', () => {
  it('are the operator’s for each kind of environment', () => {
    const chosen = new RetrySchedules(
      Config.load({ NODE_ENV: 'test', WEBHOOK_RETRY_LIVE: '0, 5, 10', WEBHOOK_RETRY_SANDBOX: '0' }),
    );
    expect([chosen.of('live'), chosen.of('console'), chosen.of('sandbox')]).toEqual([[0, 5, 10], [0, 5, 10], [0]]);
    expect(schedules.of('console')).toEqual(LIVE_SCHEDULE);
  });
});

describe('the Retry-After field', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 120 ', 120_000],
    ['Sun, 01 Mar 2026 12:00:05 GMT', 5000],
    ['Sun, 01 Mar 2026 11:59:00 GMT', 0],
    ['-5', null],
    ['1.5', null],
    ['1e3', null],
    ['99999999999', null],
    ['soon', null],
    ['2026-03-01T12:00:05Z', null],
    ['Sun, 99 Mar 2026 12:00:05 GMT', null],
    ['', null],
    [undefined, null],
  ])('%p is read as %p', (field, expected) => {
    expect(parseRetryAfterMs(field, now)).toBe(expected);
  });
});

describe('the judgement of an answer', () => {
  it.each([
    [200, 'delivered'],
    [202, 'delivered'],
    [204, 'delivered'],
    [299, 'delivered'],
    [301, 'retry'],
    [304, 'retry'],
    [307, 'retry'],
    [400, 'retry'],
    [404, 'retry'],
    [409, 'retry'],
    [410, 'gone'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
    [600, 'retry'],
  ])('of status %d is %s', (status, expected) => {
    expect(judgeResponse(status)).toBe(expected);
  });
});
