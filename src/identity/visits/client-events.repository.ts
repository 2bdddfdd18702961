import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId } from '../../database/index.js';

/** Maximum names per environment and day, since anybody may send any name. */
const MAX_NAMES = 500;

/** In name order, so that concurrent batches queue instead of deadlocking. */
const COUNT = scopedStatement(
  'clientEvents.count',
  `INSERT INTO client_event_counts AS c (environment_id, day, event, count)
   SELECT $1, date_trunc('day', now(), 'UTC'), given.event, count(*) FROM unnest($2::text[]) AS given (event)
   WHERE EXISTS (SELECT FROM client_event_counts k
       WHERE k.environment_id = $1 AND k.day = date_trunc('day', now(), 'UTC') AND k.event = given.event)
     OR (SELECT count(*) FROM client_event_counts k
       WHERE k.environment_id = $1 AND k.day = date_trunc('day', now(), 'UTC')) < ${MAX_NAMES}
   GROUP BY given.event ORDER BY given.event
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
  constructor(private readonly database: Database) {}

  async count(environmentId: EnvironmentId, events: readonly string[]): Promise<void> {
    await this.database.execute(COUNT, [environmentId, events]);
  }

  /** Most frequent first. */
  sums(environmentId: EnvironmentId): Promise<ClientEventSum[]> {
    return this.database.rows<ClientEventSum>(SUMS, [environmentId]);
  }
}
