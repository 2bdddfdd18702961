import { Injectable } from '@nestjs/common';
import {
  Database,
  OutboxEvent,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type EventActor,
} from '../../database/index.js';

/** An event as the API reads it. */
export interface EventRow {
  eventId: string;
  eventName: string;
  userId: string | null;
  actor: EventActor | null;
  timestamp: Date;
  data: Record<string, unknown>;
}

export interface EventRange {
  /** Only ids below this one. */
  below: string;
  /** Only this id and above. */
  from: string;
  createdFrom: Date | null;
  createdUntil: Date | null;
  limit: number;
}

const ROW = `id AS "eventId", name AS "eventName", user_id AS "userId", actor, created_at AS timestamp, data`;
/**
 * The ids bound the index scan; the times decide. The API shows times in milliseconds, so the last one is included
 * whole: otherwise some of its events would be in no range.
 */
const IN_RANGE = `environment_id = $1 AND id < $2 AND id >= $3
  AND created_at >= COALESCE($4::timestamptz, '-infinity')
  AND created_at < COALESCE($5::timestamptz + interval '1 ms', 'infinity')`;

const PAGE = scopedStatement('events.list', `SELECT ${ROW} FROM events WHERE ${IN_RANGE} ORDER BY id DESC LIMIT $6`);

/** One page per name, merged: a single scan over all names could skip any number of others. */
const PAGE_OF_NAMES = scopedStatement(
  'events.listOfNames',
  `SELECT e.* FROM unnest($7::text[]) AS wanted (name) CROSS JOIN LATERAL (
     SELECT ${ROW} FROM events WHERE ${IN_RANGE} AND name = wanted.name ORDER BY id DESC LIMIT $6
   ) e ORDER BY "eventId" DESC LIMIT $6`,
);

const FIND = scopedStatement('events.find', `SELECT ${ROW} FROM events WHERE environment_id = $1 AND id = $2`);

/** Events of an environment, newest first. Only the outbox writes them. */
@Injectable()
export class EventsRepository extends ScopedRepository<OutboxEvent> {
  constructor(database: Database) {
    super(database, OutboxEvent);
  }

  /** @param names null for all */
  listPage(environmentId: EnvironmentId, range: EventRange, names: readonly string[] | null): Promise<EventRow[]> {
    const { below, from, createdFrom, createdUntil, limit } = range;
    const bounds = [environmentId, below, from, createdFrom, createdUntil, limit];
    return names === null ? this.database.rows(PAGE, bounds) : this.database.rows(PAGE_OF_NAMES, [...bounds, names]);
  }

  async findOne(environmentId: EnvironmentId, id: string): Promise<EventRow | null> {
    return (await this.database.rows<EventRow>(FIND, [environmentId, id]))[0] ?? null;
  }
}
