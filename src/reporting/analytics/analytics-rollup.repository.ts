import { Injectable } from '@nestjs/common';
import {
  asSystem,
  Database,
  scopedStatement,
  type EnvironmentId,
  type Statement,
  type Transaction,
} from '../../database/index.js';
import type { PersonKind } from './analytics.entities.js';
import type { CountRow, Fact, PresenceRow } from './rollup.js';
import { WINDOW } from './slots.js';

const HOUR_MS = 3_600_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
const FACT = `kind, at, user_id AS "userId", visitor_id AS "visitorId", chain, name, system, amount`;

/** Skips from one environment to the next along the key, however many facts each has. */
const LIST_WAITING = asSystem('the worker takes the facts of every environment into its figures').statement(
  'analyticsFacts.listEnvironments',
  `WITH RECURSIVE waiting AS (
     (SELECT environment_id FROM analytics_facts WHERE environment_id > $1 ORDER BY environment_id LIMIT 1)
     UNION ALL
     SELECT (SELECT f.environment_id FROM analytics_facts f WHERE f.environment_id > w.environment_id
       ORDER BY f.environment_id LIMIT 1)
     FROM waiting w WHERE w.environment_id IS NOT NULL)
   SELECT environment_id AS "environmentId" FROM waiting WHERE environment_id IS NOT NULL LIMIT 1000`,
);

const HOLD = scopedStatement(
  'analyticsProgress.hold',
  `INSERT INTO analytics_progress AS p (environment_id, updated_at) VALUES ($1, now())
   ON CONFLICT (environment_id) DO UPDATE SET updated_at = now() RETURNING users, visitors`,
);

/**
 * Facts locked by a concurrent deletion of their user or visitor, which is about to rename them, wait for the next round; the deletion in
 * turn waits for facts locked here. So nobody is assigned a position under a deleted id.
 *
 * `IS TRUE` keeps the planner from turning the membership test into a join. Planned while statistics show a nearly
 * empty table, as between two rebuilds, a join would compare each of thousands of facts with every pending one.
 */
const TAKE = scopedStatement(
  'analyticsFacts.take',
  `WITH oldest AS MATERIALIZED (
     SELECT at, id FROM analytics_facts WHERE environment_id = $1 ORDER BY at, id LIMIT $2 FOR UPDATE SKIP LOCKED)
   DELETE FROM analytics_facts WHERE environment_id = $1 AND at <= (SELECT max(at) FROM oldest)
     AND ((at, id) IN (SELECT at, id FROM oldest)) IS TRUE RETURNING ${FACT}`,
);

/** People deleted before the worker's run also get a position, under the departure's random id. */
const enter = (name: string, kind: PersonKind): Statement =>
  scopedStatement(
    name,
    `INSERT INTO analytics_people (environment_id, kind, ordinal, ${kind}_id)
     SELECT $1, '${kind}', $2 + row_number() OVER (ORDER BY o.id) - 1, o.id FROM unnest($3::uuid[]) AS o (id)
     WHERE NOT EXISTS (SELECT FROM analytics_people p WHERE p.environment_id = $1 AND p.${kind}_id = o.id)`,
  );
const ENTER = {
  user: enter('analyticsPeople.enterUsers', 'user'),
  visitor: enter('analyticsPeople.enterVisitors', 'visitor'),
} as const;

const LIST_PLACES = scopedStatement(
  'analyticsPeople.list',
  `SELECT user_id AS id, ordinal FROM analytics_people WHERE environment_id = $1 AND user_id = ANY ($2::uuid[])
   UNION ALL
   SELECT visitor_id, ordinal FROM analytics_people WHERE environment_id = $1 AND visitor_id = ANY ($3::uuid[])`,
);

const ADVANCE = scopedStatement(
  'analyticsProgress.extend',
  `UPDATE analytics_progress SET users = users + $2, visitors = visitors + $3 WHERE environment_id = $1`,
);

const ADD = scopedStatement(
  'analyticsCounts.add',
  `INSERT INTO analytics_counts AS c (environment_id, measure, level, slot, chain, name, count)
   SELECT $1, g.* FROM unnest($2::text[], $3::smallint[], $4::timestamptz[], $5::text[], $6::text[], $7::bigint[])
     AS g (measure, level, slot, chain, name, count)
   ON CONFLICT (environment_id, measure, level, slot, chain, name) DO UPDATE SET count = c.count + excluded.count`,
);

const MARK = scopedStatement(
  'analyticsPresence.mark',
  `INSERT INTO analytics_presence AS p (environment_id, kind, level, slot, chunk, bits)
   SELECT $1, g.kind, g.level, g.slot, g.chunk, ('x' || encode(g.bits, 'hex'))::bit(32768)
   FROM unnest($2::text[], $3::smallint[], $4::timestamptz[], $5::integer[], $6::bytea[])
     AS g (kind, level, slot, chunk, bits)
   ON CONFLICT (environment_id, kind, level, slot, chunk) DO UPDATE SET bits = p.bits | excluded.bits`,
);

/** From the first hour with data, before which all windows are empty; only hours that ended a while ago. */
const NEXT_WINDOWS = scopedStatement(
  'analyticsProgress.findWindows',
  `SELECT f.from, least(f.from + make_interval(hours => $2), date_trunc('hour', now() - interval '15 minutes', 'UTC')) AS until
   FROM (SELECT coalesce(p.windows_until, (
       SELECT min(k.slot) FROM unnest('{user,visitor}'::text[]) AS of (kind) CROSS JOIN LATERAL (
         SELECT slot FROM analytics_presence WHERE environment_id = $1 AND kind = of.kind AND level = 1
         ORDER BY slot LIMIT 1) k)) AS "from"
     FROM analytics_progress p WHERE p.environment_id = $1) f WHERE f.from IS NOT NULL`,
);
const KEEP_WINDOWS = scopedStatement(
  'analyticsPresence.markWindows',
  `INSERT INTO analytics_presence (environment_id, kind, level, slot, chunk, bits)
   SELECT $1, k.kind, ${WINDOW}, w.slot, k.chunk, bit_or(k.bits)
   FROM generate_series($2::timestamptz - interval '11 hours', $3::timestamptz - interval '12 hours', interval '1 hour') AS w (slot)
   CROSS JOIN unnest('{user,visitor}'::text[]) AS of (kind)
   CROSS JOIN LATERAL (
     SELECT h.kind, h.chunk, h.bits FROM analytics_presence h
     WHERE h.environment_id = $1 AND h.kind = of.kind AND h.level = 1
       AND h.slot >= w.slot AND h.slot < w.slot + interval '12 hours' OFFSET 0) k
   GROUP BY k.kind, w.slot, k.chunk
   ON CONFLICT (environment_id, kind, level, slot, chunk) DO UPDATE SET bits = excluded.bits`,
);
const ADVANCE_WINDOWS = scopedStatement(
  'analyticsProgress.extendWindows',
  'UPDATE analytics_progress SET windows_until = $2 WHERE environment_id = $1',
);

const FORGET = [
  scopedStatement(
    'analyticsCounts.forget',
    `DELETE FROM analytics_counts WHERE environment_id = $1 AND measure <> 'visits' AND (measure = 'wallets' OR slot >= $2)`,
  ),
  scopedStatement(
    'analyticsPresence.forget',
    `DELETE FROM analytics_presence WHERE environment_id = $1 AND kind = 'user' AND (level = ${WINDOW} OR slot >= $2)`,
  ),
];
/** Windows are rebuilt during a recount: adding each hour to all windows that contain it would take longer. */
const FORGET_WINDOWS = scopedStatement(
  'analyticsProgress.forgetWindows',
  'UPDATE analytics_progress SET windows_until = NULL WHERE environment_id = $1',
);

/** Waits for user deletions in progress, and blocks new ones until the sessions are noted. */
const HOLD_USERS = scopedStatement(
  'analyticsPeople.holdUsers',
  `SELECT count(*)::int AS users FROM (
     SELECT id FROM users WHERE environment_id = $1 ORDER BY id FOR KEY SHARE) held`,
);
/**
 * Pending facts and existing sessions are read from one snapshot: a concurrent sign-in is in both or in neither. So is
 * the time from which all sessions exist: sessions removed meanwhile are noted, or their months keep their figures.
 */
const NOTE_SESSIONS = scopedStatement(
  'analyticsFacts.noteSessions',
  `WITH horizon AS MATERIALIZED (
     SELECT coalesce((SELECT sessions_since FROM analytics_horizons WHERE environment_id = $1), '-infinity') AS since),
   waiting AS (
     DELETE FROM analytics_facts f USING horizon h WHERE f.environment_id = $1 AND f.kind = 'session' AND f.at >= h.since),
   noted AS (
     INSERT INTO analytics_facts (environment_id, id, kind, at, user_id, name, system)
     SELECT s.environment_id, gen_random_uuid(), 'session', s.created_at, s.user_id,
       coalesce(s.method, analytics_method(c.format, c.oauth_provider)), analytics_system(s.user_agent)
     FROM horizon h
     JOIN sessions s ON s.environment_id = $1 AND s.created_at >= h.since
     JOIN users u ON u.environment_id = s.environment_id AND u.id = s.user_id
     LEFT JOIN credentials c ON c.environment_id = s.environment_id AND c.id = s.credential_id
     FOR KEY SHARE OF u
     RETURNING 1)
   SELECT since::text, (SELECT count(*)::int FROM noted) AS noted FROM horizon`,
);
/** After the sessions, to include users deleted before that step. Departures cover their pending facts as well. */
const NOTE_DEPARTURES = scopedStatement(
  'analyticsFacts.noteDepartures',
  `WITH waiting AS (
     DELETE FROM analytics_facts f WHERE f.environment_id = $1 AND f.kind = 'session' AND f.at >= $2 AND f.user_id IN (
       SELECT person FROM analytics_departures WHERE environment_id = $1 AND slot >= $2))
   INSERT INTO analytics_facts (environment_id, id, kind, at, user_id, name, system, amount)
   SELECT environment_id, gen_random_uuid(), 'session', slot, person, name, system, count
   FROM analytics_departures WHERE environment_id = $1 AND slot >= $2`,
);
/** Departures older than every session are not needed for a recount. */
const FORGET_DEPARTURES = scopedStatement(
  'analyticsDepartures.forget',
  `DELETE FROM analytics_departures WHERE environment_id = $1 AND (environment_id, person, slot, name, system) IN (
     SELECT d.environment_id, d.person, d.slot, d.name, d.system
     FROM analytics_horizons h JOIN analytics_departures d ON d.environment_id = h.environment_id AND d.slot < h.sessions_since
     WHERE h.environment_id = $1 LIMIT $2)`,
);
const NOTE_WALLETS = scopedStatement(
  'analyticsFacts.noteWallets',
  `WITH waiting AS (DELETE FROM analytics_facts WHERE environment_id = $1 AND kind = 'wallet')
   INSERT INTO analytics_facts (environment_id, id, kind, at, chain, name)
   SELECT w.environment_id, gen_random_uuid(), 'wallet', w.created_at, w.chain, w.name FROM wallets w
   WHERE w.environment_id = $1 AND w.deleted_at IS NULL`,
);

export interface Places {
  users: number;
  visitors: number;
}

/** The worker's reads and writes. They are exclusive to the holder of the environment's lock. */
@Injectable()
export class AnalyticsRollupRepository {
  constructor(private readonly database: Database) {}

  /** The next thousand environments with pending facts, in the order of their ids. */
  async listWaiting(after = BEFORE_ALL): Promise<string[]> {
    const rows = await this.database.rows<{ environmentId: string }>(LIST_WAITING, [after]);
    return rows.map((row) => row.environmentId);
  }

  /** The number of assigned positions, locked until the transaction ends. */
  async hold(environmentId: EnvironmentId, tx: Transaction): Promise<Places> {
    return (await tx.rows<Places>(HOLD, [environmentId]))[0]!;
  }

  /** Takes the oldest facts, which are deleted when the transaction commits. */
  take(environmentId: EnvironmentId, limit: number, tx: Transaction): Promise<Fact[]> {
    return tx.rows<Fact>(TAKE, [environmentId, limit]);
  }

  /** Removes departures that a recount no longer needs. A recount holds the environment's lock. */
  forgetDepartures(environmentId: EnvironmentId, limit: number, tx: Transaction): Promise<number> {
    return tx.execute(FORGET_DEPARTURES, [environmentId, limit]);
  }

  /** Positions of people by id; new people get the next free ones. */
  async placesOf(
    environmentId: EnvironmentId,
    people: { users: string[]; visitors: string[] },
    given: Places,
    tx: Transaction,
  ): Promise<Map<string, number>> {
    const users = await tx.execute(ENTER.user, [environmentId, given.users, people.users]);
    const visitors = await tx.execute(ENTER.visitor, [environmentId, given.visitors, people.visitors]);
    if (users + visitors > 0) await tx.execute(ADVANCE, [environmentId, users, visitors]);
    const rows = await tx.rows<{ id: string; ordinal: number }>(LIST_PLACES, [
      environmentId,
      people.users,
      people.visitors,
    ]);
    return new Map(rows.map(({ id, ordinal }) => [id, ordinal]));
  }

  async add(environmentId: EnvironmentId, rows: readonly CountRow[], tx: Transaction): Promise<void> {
    const column = <K extends keyof CountRow>(key: K): CountRow[K][] => rows.map((row) => row[key]);
    const keys = [column('measure'), column('level'), column('slot'), column('chain'), column('name')];
    await tx.execute(ADD, [environmentId, ...keys, column('count')]);
  }

  async mark(environmentId: EnvironmentId, rows: readonly PresenceRow[], tx: Transaction): Promise<void> {
    const column = <K extends keyof PresenceRow>(key: K): PresenceRow[K][] => rows.map((row) => row[key]);
    const keys = [column('kind'), column('level'), column('slot'), column('chunk')];
    await tx.execute(MARK, [environmentId, ...keys, column('bits')]);
  }

  /** Stores the windows that end next. @returns whether there are more to store */
  async keepWindows(environmentId: EnvironmentId, hours: number, tx: Transaction): Promise<boolean> {
    const [next] = await tx.rows<{ from: Date; until: Date }>(NEXT_WINDOWS, [environmentId, hours]);
    if (!next || next.until <= next.from) return false;
    await tx.execute(KEEP_WINDOWS, [environmentId, next.from, next.until]);
    await tx.execute(ADVANCE_WINDOWS, [environmentId, next.until]);
    return next.until.getTime() - next.from.getTime() === hours * HOUR_MS;
  }

  /**
   * Clears session and wallet figures and notes facts for every existing row and for the sign-ins of deleted users.
   * Months with removed sessions keep their figures, and so do visits, whose times are stored nowhere else.
   *
   * @returns the number of facts to process
   */
  async startOver(environmentId: EnvironmentId, tx: Transaction): Promise<number> {
    // For a large environment, this takes longer than the statement timeout of a request.
    tx.takeTime();
    await tx.rows(HOLD_USERS, [environmentId]);
    const [sessions] = await tx.rows<{ since: string; noted: number }>(NOTE_SESSIONS, [environmentId]);
    const { since, noted } = sessions!;
    const departed = await tx.execute(NOTE_DEPARTURES, [environmentId, since]);
    for (const forget of FORGET) await tx.execute(forget, [environmentId, since]);
    await tx.execute(FORGET_WINDOWS, [environmentId]);
    return noted + departed + (await tx.execute(NOTE_WALLETS, [environmentId]));
  }
}
