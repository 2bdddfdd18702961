import { invalidFields } from '../../common/http/validation.pipe.js';

/** An inclusive range of days in a time zone. */
export interface LocalDays {
  first: string;
  last: string;
  timeZone: string;
}

/** The maximum length of a daily series. */
export const MOST_DAYS = 400;
/** There is no data before this date, so an earlier start costs no more. */
const EARLIEST = '2000-01-01';
const LATEST = '2100-01-01';
/** Instants beyond both are moved to here, since days compare as text only in years of four digits. */
const [OLDEST_MS, NEWEST_MS] = [Date.parse('1999-01-01'), Date.parse('2101-01-01')];
const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;
/**
 * Offsets such as `+05:30` have the opposite sign in PostgreSQL. Three-letter names are ambiguous too: `CET` has
 * daylight saving time here but not there, and `IST` is India here and Israel there.
 */
const ZONE = /^(?:UTC|GMT|(?![a-z]{3}$)[a-z][\w+\-/]{0,63})$/i;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/**
 * @throws validation_failed for invalid dates, an unknown time zone, an end before the start, or a range in which
 *   no data can exist
 */
export function localDays(
  names: readonly [start: string, end: string],
  query: { start: string; end: string; timeZone?: string },
): LocalDays {
  const timeZone = zoneOf(query.timeZone);
  const first = dayOf(names[0], query.start, timeZone);
  const last = dayOf(names[1], query.end, timeZone);
  if (last < first) throw invalidFields([{ field: names[1], message: `${names[1]} must not be before ${names[0]}` }]);
  // Clipping a range that lies entirely outside would leave no days.
  if (last < EARLIEST)
    throw invalidFields([{ field: names[1], message: `${names[1]} must not be before ${EARLIEST}` }]);
  if (first > LATEST) throw invalidFields([{ field: names[0], message: `${names[0]} must not be after ${LATEST}` }]);
  return { first: first < EARLIEST ? EARLIEST : first, last: last > LATEST ? LATEST : last, timeZone };
}

/** The same for an optional range: it ends today by default, and has thirty days without a start. */
export function recentDays(
  { startDate, endDate, timeZone }: { startDate?: string; endDate?: string; timeZone?: string },
  now: Date,
): LocalDays {
  const zone = zoneOf(timeZone);
  const end = endDate ?? dayIn(zone, now);
  const last = dayOf('endDate', end, zone);
  const start = startDate ?? (last < EARLIEST ? last : dayAfter(last > LATEST ? LATEST : last, 1 - DEFAULT_DAYS));
  return localDays(['startDate', 'endDate'], { start, end, timeZone: zone });
}

/** @throws validation_failed when a series would have too many days */
export function assertSeries(days: LocalDays, field: string): LocalDays {
  const count = (Date.parse(days.last) - Date.parse(days.first)) / DAY_MS + 1;
  if (count > MOST_DAYS) throw invalidFields([{ field, message: `the range has at most ${MOST_DAYS} days` }]);
  return days;
}

function zoneOf(timeZone = 'UTC'): string {
  try {
    if (!ZONE.test(timeZone)) throw new RangeError(timeZone);
    new Intl.DateTimeFormat('en', { timeZone });
    return timeZone;
  } catch {
    throw unknownZone();
  }
}

export const unknownZone = (): Error =>
  invalidFields([
    { field: 'timeZone', message: 'timeZone must be a name of the time zone database, and no abbreviation' },
  ]);

function dayOf(field: string, text: string, timeZone: string): string {
  const isDay = DAY.test(text);
  const time = isDay || INSTANT.test(text) ? Date.parse(text) : NaN;
  const day = text.slice(0, 10);
  // Date.parse reads 30 February as 2 March, even with a time.
  const rolledOver = !Number.isNaN(time) && new Date(day).toISOString().slice(0, 10) !== day;
  if (Number.isNaN(time) || rolledOver) {
    throw invalidFields([{ field, message: `${field} must be a day, or an instant with offset, in ISO 8601` }]);
  }
  return isDay ? text : dayIn(timeZone, new Date(Math.min(Math.max(time, OLDEST_MS), NEWEST_MS)));
}

/** The Swedish date format is that of ISO 8601. */
const dayIn = (timeZone: string, time: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(time);
