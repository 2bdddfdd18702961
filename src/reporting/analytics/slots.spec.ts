import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { QUARTER_MS, slotsAt, slotsBetween, type Slot } from './slots.js';

const END: Record<number, (start: number) => number> = {
  0: (start) => start + QUARTER_MS,
  1: (start) => start + 3_600_000,
  2: (start) => start + 86_400_000,
  3: (start) => new Date(start).setUTCMonth(new Date(start).getUTCMonth() + 1),
};
const endOf = ({ level, start }: Slot): number => END[level]!(start);

const moments = fc
  .integer({ min: Date.UTC(2001, 0) / QUARTER_MS, max: Date.UTC(2031, 0) / QUARTER_MS })
  .map((n) => n * QUARTER_MS);

describe('slots of time', () => {
  it('follow each other without a gap from one end of a range to the other', () => {
    fc.assert(
      fc.property(moments, moments, (one, other) => {
        const [from, until] = [Math.min(one, other), Math.max(one, other)];
        const slots = slotsBetween(from, until);
        expect(slots.reduce((time, slot) => (slot.start === time ? endOf(slot) : NaN), from)).toBe(until);
        expect(slots.length).toBeLessThanOrEqual(12 * 30 + 2 * (31 + 24 + 4));
      }),
    );
  });

  it('of a moment hold it, and a range has one of them exactly when it has the moment', () => {
    fc.assert(
      fc.property(moments, fc.nat({ max: QUARTER_MS - 1 }), moments, moments, (quarter, ms, one, other) => {
        const time = quarter + ms;
        const own = slotsAt(time);
        for (const slot of own) expect(slot.start <= time && time < endOf(slot)).toBe(true);
        const range = [Math.min(one, other), Math.max(one, other)] as const;
        const shared = slotsBetween(...range).filter((slot) =>
          own.some(({ level, start }) => level === slot.level && start === slot.start),
        );
        expect(shared).toHaveLength(range[0] <= time && time < range[1] ? 1 : 0);
      }),
    );
  });
});
