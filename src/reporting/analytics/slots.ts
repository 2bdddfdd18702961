/**
 * Slots of time, in UTC, in four lengths. Every offset of a time zone is a multiple of a quarter of an hour, so a local
 * day, week or month is made of whole slots, and a long range of few.
 */
export const LEVELS = ['quarter', 'hour', 'day', 'month'] as const;
export type Level = 0 | 1 | 2 | 3;

export const QUARTER_MS = 15 * 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MONTH: Level = 3;

export interface Slot {
  level: Level;
  start: number;
}

const monthOf = (time: number): number => {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
};
const nextMonth = (start: number): number => {
  const date = new Date(start);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
};

const LENGTHS = [QUARTER_MS, HOUR_MS, DAY_MS] as const;

const startOf = (level: Level, time: number): number =>
  level === MONTH ? monthOf(time) : Math.floor(time / LENGTHS[level]) * LENGTHS[level];
const endOf = ({ level, start }: Slot): number => (level === MONTH ? nextMonth(start) : start + LENGTHS[level]);

/** The slot of each length that a moment lies in. */
export const slotsAt = (time: number): Slot[] =>
  ([0, 1, 2, MONTH] as const).map((level) => ({ level, start: startOf(level, time) }));

/** The fewest slots that make up a range. Both ends are full quarters of an hour; the end does not belong to it. */
export function slotsBetween(from: number, until: number): Slot[] {
  const slots: Slot[] = [];
  for (let time = from; time < until;) {
    const slot = longestAt(time, until);
    slots.push(slot);
    time = endOf(slot);
  }
  return slots;
}

function longestAt(start: number, until: number): Slot {
  for (const level of [MONTH, 2, 1] as const) {
    const slot = { level, start };
    if (startOf(level, start) === start && endOf(slot) <= until) return slot;
  }
  return { level: 0, start };
}
