import { Injectable } from '@nestjs/common';
import {
  areValuesRefused,
  Database,
  deploymentStatement,
  scopedStatement,
  type EnvironmentId,
} from '../../database/index.js';
import type { PersonKind } from './analytics.entities.js';
import type { Granularity } from './analytics.dto.js';
import { unknownZone, type LocalDays } from './local-days.js';
import { setsBetween, type SetSlot, type Slot } from './slots.js';

/** Names per response: wallet names come from clients and are unlimited in number. */
export const MOST_NAMES = 200;

export interface Stretch {
  from: Date;
  until: Date;
}

/** A time range with the day that labels it. */
export interface Bucket extends Stretch {
  date: string;
}

export interface NamedCount {
  bucket: number;
  name: string;
  count: number;
}

/**
 * The first instant of a day is the earliest with its date: where clocks are set back past midnight, PostgreSQL takes
 * the second midnight as the start of the day.
 */
const BEGINS = (day: string): string => `CASE
    WHEN (${day} AT TIME ZONE $3::text - interval '1 hour') AT TIME ZONE $3::text >= ${day}
    THEN ${day} AT TIME ZONE $3::text - interval '1 hour' ELSE ${day} AT TIME ZONE $3::text END`;

/** Days, weeks or months in a time zone; the first and last are clipped to the range. */
const LIST_BUCKETS = deploymentStatement(
  'analyticsBuckets.list',
  `SELECT to_char(b.label, 'YYYY-MM-DD') AS date, ${BEGINS('b.first')} AS from, ${BEGINS('b.next')} AS until FROM (
     SELECT label, min(day) AS first, max(day) + interval '1 day' AS next FROM (
       SELECT day, date_trunc($4::text, day) AS label FROM (
         SELECT generate_series($1::date::timestamp, $2::date::timestamp, interval '1 day') AS day) s) d
     GROUP BY label) b
   ORDER BY b.label`,
);

/** Looks up each slot by key: as a join, the planner could choose a full scan. `OFFSET 0` prevents that. */
const WANTED = `unnest($3::integer[], $4::smallint[], $5::timestamptz[]) AS g (bucket, level, slot)`;

const SUM = scopedStatement(
  'analyticsCounts.addUp',
  `WITH wanted AS (SELECT * FROM ${WANTED})
   SELECT w.bucket, c.name, sum(c.count)::float AS count FROM wanted w CROSS JOIN LATERAL (
     SELECT k.name, k.count FROM analytics_counts k
     WHERE k.environment_id = $1 AND k.measure = $2 AND k.level = w.level AND k.slot = w.slot
       AND ($6::text[] IS NULL OR k.chain = ANY ($6)) OFFSET 0) c
   GROUP BY w.bucket, c.name HAVING sum(c.count) <> 0 ORDER BY w.bucket, count DESC, c.name LIMIT $7`,
);

const COUNT_PEOPLE = scopedStatement(
  'analyticsPresence.countPeople',
  `WITH wanted AS (SELECT * FROM ${WANTED}), came AS (
     SELECT w.bucket, p.chunk, bit_count(bit_or(p.bits)) AS people FROM wanted w CROSS JOIN LATERAL (
       SELECT k.chunk, k.bits FROM analytics_presence k
       WHERE k.environment_id = $1 AND k.kind = $2 AND k.level = w.level AND k.slot = w.slot OFFSET 0) p
     GROUP BY w.bucket, p.chunk)
   SELECT bucket, sum(people)::float AS people FROM came GROUP BY bucket`,
);

/** A bit string is sent as a four-byte length followed by the bits. */
const LIST_SETS = scopedStatement(
  'analyticsPresence.list',
  `WITH wanted AS (SELECT * FROM ${WANTED})
   SELECT w.bucket, substring(bit_send(bit_or(p.bits)) FROM 5) AS bits FROM wanted w CROSS JOIN LATERAL (
     SELECT k.bits FROM analytics_presence k
     WHERE k.environment_id = $1 AND k.kind = $2 AND k.level = w.level AND k.slot = w.slot AND k.chunk = $6 OFFSET 0) p
   GROUP BY w.bucket`,
);

const FIND_PROGRESS = scopedStatement(
  'analyticsProgress.find',
  'SELECT users, windows_until AS "windowsUntil" FROM analytics_progress WHERE environment_id = $1',
);

const HOURS = scopedStatement(
  'analyticsCounts.listHours',
  `SELECT extract(dow FROM c.slot AT TIME ZONE $4::text)::int AS weekday, extract(hour FROM c.slot AT TIME ZONE $4::text)::int AS hour,
     sum(c.count)::float AS count
   FROM analytics_counts c WHERE c.environment_id = $1 AND c.measure = 'sessions' AND c.level = 0
     AND c.slot >= $2 AND c.slot < $3
   GROUP BY 1, 2 HAVING sum(c.count) <> 0 ORDER BY 1, 2`,
);

const columns = (slots: readonly (readonly SetSlot[])[]): [number[], number[], Date[]] => {
  const rows = slots.flatMap((own, bucket) => own.map(({ level, start }) => ({ bucket, level, start })));
  return [rows.map(({ bucket }) => bucket), rows.map(({ level }) => level), rows.map(({ start }) => new Date(start))];
};

/** The state of an environment's sets. */
export interface Progress {
  /** The number of users assigned a position. */
  users: number;
  /** Windows that ended by then are stored. */
  windowsUntil: Date | null;
}

const setsOf = (stretches: readonly Stretch[], { windowsUntil }: Progress): ReturnType<typeof columns> =>
  columns(
    stretches.map(({ from, until }) => setsBetween(from.getTime(), until.getTime(), windowsUntil?.getTime() ?? 0)),
  );

/** Answers from sums and sets: the cost depends on the range, not on the amount of activity in it. */
@Injectable()
export class AnalyticsReadsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Computed by PostgreSQL, like the hour of the week of events, for consistent clocks and time zones.
   * @throws validation_failed for a time zone that PostgreSQL does not know
   */
  async listBuckets({ first, last, timeZone }: LocalDays, granularity: Granularity): Promise<Bucket[]> {
    try {
      return await this.database.rows<Bucket>(LIST_BUCKETS, [first, last, timeZone, granularity]);
    } catch (error) {
      // The dates were validated before, so only the time zone can be rejected.
      throw areValuesRefused(error) ? unknownZone() : error;
    }
  }

  /** Sums by bucket and name; each bucket is a list of slots. */
  sum(
    environmentId: EnvironmentId,
    measure: string,
    buckets: readonly (readonly Slot[])[],
    { chains = null, limit = null }: { chains?: readonly string[] | null; limit?: number | null } = {},
  ): Promise<NamedCount[]> {
    return this.database.rows<NamedCount>(SUM, [environmentId, measure, ...columns(buckets), chains, limit]);
  }

  /** The number of distinct people active in each range. */
  async countPeople(environmentId: EnvironmentId, kind: PersonKind, stretches: readonly Stretch[]): Promise<number[]> {
    const values = [environmentId, kind, ...setsOf(stretches, await this.findProgress(environmentId))];
    const rows = await this.database.rows<{ bucket: number; people: number }>(COUNT_PEOPLE, values);
    const people = new Array<number>(stretches.length).fill(0);
    for (const row of rows) people[row.bucket] = row.people;
    return people;
  }

  /** The users of one chunk active in each range, as sets; undefined where there are none. */
  async listSets(
    environmentId: EnvironmentId,
    stretches: readonly Stretch[],
    { chunk, progress }: { chunk: number; progress: Progress },
  ): Promise<(Uint32Array | undefined)[]> {
    const values = [environmentId, 'user', ...setsOf(stretches, progress), chunk];
    const rows = await this.database.rows<{ bucket: number; bits: Buffer }>(LIST_SETS, values);
    const sets = new Array<Uint32Array | undefined>(stretches.length).fill(undefined);
    // Copied, since the response bytes may be unaligned and a Uint32Array needs alignment.
    for (const { bucket, bits } of rows) sets[bucket] = new Uint32Array(new Uint8Array(bits).buffer);
    return sets;
  }

  async findProgress(environmentId: EnvironmentId): Promise<Progress> {
    const [progress] = await this.database.rows<Progress>(FIND_PROGRESS, [environmentId]);
    return progress ?? { users: 0, windowsUntil: null };
  }

  hours(
    environmentId: EnvironmentId,
    { from, until }: Stretch,
    timeZone: string,
  ): Promise<{ weekday: number; hour: number; count: number }[]> {
    return this.database.rows(HOURS, [environmentId, from, until, timeZone]);
  }
}
