import { Injectable } from '@nestjs/common';
import { Database, lockTenant, scopedStatement, UnitOfWork, type EnvironmentId } from '../../database/index.js';

/** Maximum names per environment and day, since anybody may send any name. */
const MAX_NAMES = 500;

const TODAY = "date_trunc('day', now(), 'UTC')";
const NAMES_OF_TODAY = `(SELECT count(*) FROM client_event_counts k WHERE k.environment_id = $1 AND k.day = ${TODAY})`;

/** In name order, so that concurrent batches queue instead of deadlocking. @returns the new names, while there is room */
const COUNT = scopedStatement(
  'clientEvents.count',
  `WITH given AS MATERIALIZED (
     SELECT g.event, count(*) AS count, EXISTS (SELECT FROM client_event_counts k
       WHERE k.environment_id = $1 AND k.day = ${TODAY} AND k.event = g.event) AS known
     FROM unnest($2::text[]) AS g (event) GROUP BY g.event
   ), counted AS (
     INSERT INTO client_event_counts AS c (environment_id, day, event, count)
     SELECT $1, ${TODAY}, event, count FROM given WHERE known ORDER BY event
     ON CONFLICT (environment_id, day, event) DO UPDATE SET count = c.count + excluded.count)
   SELECT event FROM given WHERE NOT known AND ${NAMES_OF_TODAY} < ${MAX_NAMES}`,
);

/** The names that still fit. Others may have added some of them meanwhile. */
const ADD = scopedStatement(
  'clientEvents.add',
  `INSERT INTO client_event_counts AS c (environment_id, day, event, count)
   SELECT $1, ${TODAY}, given.event, given.count FROM (
     SELECT g.event, count(*) AS count, k.event IS NOT NULL AS known,
       count(*) FILTER (WHERE k.event IS NULL) OVER (ORDER BY g.event) AS place
     FROM unnest($2::text[]) AS g (event)
     LEFT JOIN client_event_counts k ON k.environment_id = $1 AND k.day = ${TODAY} AND k.event = g.event
     GROUP BY g.event, k.event) AS given
   WHERE given.known OR given.place + ${NAMES_OF_TODAY} <= ${MAX_NAMES}
   ORDER BY given.event
   ON CONFLICT (environment_id, day, event) DO UPDATE SET count = c.count + excluded.count`,
);

/** The number of names in two full days. */
const MOST_SHOWN = 1_000;
const SUMS = scopedStatement(
  'clientEvents.listCounts',
  `SELECT event, sum(count)::bigint AS count, max(day) AS "lastDay" FROM client_event_counts
   WHERE environment_id = $1 GROUP BY event ORDER BY count DESC, event LIMIT ${MOST_SHOWN}`,
);

/** How often an event was reported, and the last day. */
export interface ClientEventSum {
  event: string;
  count: string;
  lastDay: Date;
}

@Injectable()
export class ClientEventsRepository {
  constructor(
    private readonly database: Database,
    private readonly work: UnitOfWork,
  ) {}

  /** New names are added one batch at a time, so that those of concurrent batches do not exceed the maximum. */
  async count(environmentId: EnvironmentId, events: readonly string[]): Promise<void> {
    const rows = await this.database.rows<{ event: string }>(COUNT, [environmentId, events]);
    if (rows.length === 0) return;
    const added = new Set(rows.map(({ event }) => event));
    await this.work.run(async (tx) => {
      await lockTenant('names of client events', environmentId, tx);
      await tx.execute(ADD, [environmentId, events.filter((event) => added.has(event))]);
    });
  }

  /** Most frequent first. */
  sums(environmentId: EnvironmentId): Promise<ClientEventSum[]> {
    return this.database.rows<ClientEventSum>(SUMS, [environmentId]);
  }
}
