import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId, type EventActor } from '../../database/index.js';

const MOST_IDS = 50_000;

const IDS = scopedStatement(
  'events.listLiveIds',
  `SELECT id FROM events WHERE environment_id = $1 AND id >= $2 ORDER BY id LIMIT ${MOST_IDS}`,
);

const READ = scopedStatement(
  'events.readLive',
  `SELECT id AS "eventId", name AS "eventName", user_id AS "userId", external_user_id AS "externalUserId", actor,
     created_at AS "createdAt", data::text AS data
   FROM events WHERE environment_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id`,
);

/** An event as stored. */
export interface LiveEvent {
  eventId: string;
  eventName: string;
  userId: string | null;
  externalUserId: string | null;
  actor: EventActor | null;
  createdAt: Date;
  /** JSON text. */
  data: string;
}

/** The newest events of an environment, for a live follower. */
@Injectable()
export class LiveEventsRepository {
  constructor(private readonly database: Database) {}

  /** Ids of events from the given id on, oldest first. */
  async listIds(environmentId: EnvironmentId, from: string): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(IDS, [environmentId, from]);
    return rows.map(({ id }) => id);
  }

  read(environmentId: EnvironmentId, ids: readonly string[]): Promise<LiveEvent[]> {
    return this.database.rows(READ, [environmentId, ids]);
  }
}
