/**
 * Time slots in UTC, in four lengths: a quarter of an hour, an hour, a day, a month. Every time zone offset is a
 * multiple of a quarter of an hour, so local days, weeks and months consist of whole slots, and a long range of few.
 */
export type Level = 0 | 1 | 2 | 3;
/** For sets only: half a day starting at any full hour. Windows overlap, and a person in two of them counts once. */
export const WINDOW = 4;

export const QUARTER_MS = 15 * 60_000;
const HOUR_MS = 3_600_000;
const WINDOW_MS = 12 * HOUR_MS;
const DAY_MS = 86_400_000;
const MONTH: Level = 3;

export interface Slot {
  level: Level;
  start: number;
}

/** A slot of which the set is part of a range. */
export interface SetSlot {
  level: Level | typeof WINDOW;
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

/** The slot of each length that contains a point in time. */
export const slotsAt = (time: number): Slot[] =>
  ([0, 1, 2, MONTH] as const).map((level) => ({ level, start: startOf(level, time) }));

/** The fewest slots that cover a half-open range. Both ends are full quarters of an hour. */
export function slotsBetween(from: number, until: number): Slot[] {
  const slots: Slot[] = [];
  for (let time = from; time < until;) {
    const slot = longestAt(time, until);
    slots.push(slot);
    time = endOf(slot);
  }
  return slots;
}

/**
 * The fewest slots whose sets, joined, cover a range. A local day takes two windows instead of two dozen hourly slots.
 * @param keptUntil only windows that end by then are stored
 */
export function setsBetween(from: number, until: number, keptUntil: number): SetSlot[] {
  const firstDay = Math.ceil(from / DAY_MS) * DAY_MS;
  const lastDay = Math.floor(until / DAY_MS) * DAY_MS;
  const part = (start: number, end: number): SetSlot[] => partBetween(start, end, { from, until, keptUntil });
  if (lastDay <= firstDay && until - from <= DAY_MS) return part(from, until);
  return [...part(from, firstDay), ...slotsBetween(firstDay, lastDay), ...part(lastDay, until)];
}

/** Part of a range, at most a day long; windows may extend beyond it, but not beyond the range. */
function partBetween(start: number, end: number, range: { from: number; until: number; keptUntil: number }): SetSlot[] {
  const first = Math.ceil(start / HOUR_MS) * HOUR_MS;
  const last = Math.floor(end / HOUR_MS) * HOUR_MS;
  if (last - first <= HOUR_MS) return slotsBetween(start, end);
  const starts = last - first < WINDOW_MS && first + WINDOW_MS > range.until ? [last - WINDOW_MS] : [first];
  if (last - first > WINDOW_MS) starts.push(last - WINDOW_MS);
  const isKept = starts.every(
    (window) => window >= range.from && window + WINDOW_MS <= Math.min(range.until, range.keptUntil),
  );
  if (!isKept) return slotsBetween(start, end);
  return [
    ...slotsBetween(start, first),
    ...starts.map((window) => ({ level: WINDOW, start: window }) as const),
    ...slotsBetween(last, end),
  ];
}

function longestAt(start: number, until: number): Slot {
  for (const level of [MONTH, 2, 1] as const) {
    const slot = { level, start };
    if (startOf(level, start) === start && endOf(slot) <= until) return slot;
  }
  return { level: 0, start };
}
