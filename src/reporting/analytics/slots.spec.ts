import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { QUARTER_MS, setsBetween, slotsAt, slotsBetween, WINDOW, type SetSlot } from './slots.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const END: Record<number, (start: number) => number> = {
  0: (start) => start + QUARTER_MS,
  1: (start) => start + HOUR_MS,
  2: (start) => start + DAY_MS,
  [WINDOW]: (start) => start + 12 * HOUR_MS,
  3: (start) => new Date(start).setUTCMonth(new Date(start).getUTCMonth() + 1),
};
const endOf = ({ level, start }: SetSlot): number => END[level]!(start);

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

describe('slots of sets', () => {
  /** The quarters of an hour that slots hold, each once. */
  const quartersOf = (slots: readonly SetSlot[]): Set<number> => {
    const quarters = new Set<number>();
    for (const slot of slots) for (let at = slot.start; at < endOf(slot); at += QUARTER_MS) quarters.add(at);
    return quarters;
  };
  const lengths = fc.integer({ min: 1, max: 40 * 96 }).map((n) => n * QUARTER_MS);
  const near = fc.integer({ min: -50, max: 1_000 }).map((n) => n * HOUR_MS);

  it('hold every quarter of an hour of a range and none beside, with windows that are kept', () => {
    fc.assert(
      fc.property(moments, lengths, near, (from, length, kept) => {
        const until = from + length;
        const keptUntil = Math.floor(from / HOUR_MS) * HOUR_MS + kept;
        const slots = setsBetween(from, until, keptUntil);
        expect(quartersOf(slots)).toEqual(quartersOf(slotsBetween(from, until)));
        const windows = slots.filter(({ level }) => level === WINDOW);
        expect(windows.filter((slot) => endOf(slot) > keptUntil || slot.start % HOUR_MS !== 0)).toEqual([]);
        expect(slots.length).toBeLessThanOrEqual(slotsBetween(from, until).length);
      }),
    );
  });

  it('are two of a local day, or a few where it begins within an hour or clocks change', () => {
    const day = Date.UTC(2026, 0, 10);
    const count = (offsetHours: number, hours = 24, keptUntil = Infinity): number =>
      setsBetween(day - offsetHours * HOUR_MS, day + (hours - offsetHours) * HOUR_MS, keptUntil).length;
    expect([count(0), count(1), count(-5), count(12), count(-11)]).toEqual([1, 2, 2, 2, 2]);
    expect([count(5.5), count(5.75)]).toEqual([6, 6]);
    expect([count(1, 23), count(1, 25), count(-5, 25)]).toEqual([2, 2, 3]);
    expect(count(1, 24, day)).toBe(24);
  });
});
