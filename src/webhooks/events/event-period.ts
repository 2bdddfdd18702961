import { invalidFields } from '../../common/http/validation.pipe.js';

/** Both ends are inclusive; null means unbounded. */
export interface Period {
  from: Date | null;
  until: Date | null;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;
/** Either of them, as shown in the OpenAPI document. */
export const DAY_OR_INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;
const DAY_MS = 86_400_000;
/** Instances generate ids, the database sets times: the maximum difference between their clocks. */
const CLOCK_SLACK_MS = 15 * 60_000;

/** Parses ISO 8601: an instant with offset, or a whole day in UTC. @throws validation_failed */
export function parsePeriod({ startDate, endDate }: { startDate?: string; endDate?: string }): Period {
  return { from: parseEnd('startDate', startDate, 0), until: parseEnd('endDate', endDate, DAY_MS - 1) };
}

function parseEnd(field: string, text: string | undefined, withinDayMs: number): Date | null {
  if (text === undefined || text === '') return null;
  const isDay = DAY.test(text);
  const time = isDay || INSTANT.test(text) ? Date.parse(text) : NaN;
  const day = text.slice(0, 10);
  // Date.parse accepts 30 February as 2 March, with or without a time.
  const rolledOver = !Number.isNaN(time) && new Date(day).toISOString().slice(0, 10) !== day;
  if (Number.isNaN(time) || rolledOver) {
    const form = 'must be a day (2026-01-31) or an instant with offset (2026-01-31T12:00:00Z) in ISO 8601';
    throw invalidFields([{ field, message: `${field} ${form}` }]);
  }
  return new Date(isDay ? time + withinDayMs : time);
}

/** The lowest UUIDv7 that an event of the period may have, so that the index scan ends with the period. */
export const firstIdOf = ({ from }: Period): string => idAt(from === null ? 0 : from.getTime() - CLOCK_SLACK_MS);

/** An id above every event of the period, or null if it has no end. */
export const endIdOf = ({ until }: Period): string | null =>
  until === null ? null : idAt(until.getTime() + CLOCK_SLACK_MS);

/** The lowest UUID whose first 48 bits are this time in milliseconds (RFC 9562 section 5.7). */
export function idAt(time: number): string {
  const hex = Math.min(Math.max(time, 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
