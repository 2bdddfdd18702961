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
  /** Ids below this one. */
  below: string;
  /** Ids from this one on. */
  from: string;
  createdFrom: Date | null;
  createdUntil: Date | null;
  limit: number;
}

const ROW = `id AS "eventId", name AS "eventName", user_id AS "userId", actor, created_at AS timestamp, data`;
/**
 * The ids bound the walk along the index; the times decide. They are told to the millisecond: the last one belongs to the
 * range whole, or what happened within it would be in no range at all.
 */
const IN_RANGE = `environment_id = $1 AND id < $2 AND id >= $3
  AND created_at >= COALESCE($4::timestamptz, '-infinity')
  AND created_at < COALESCE($5::timestamptz + interval '1 ms', 'infinity')`;

const PAGE = scopedStatement('events.list', `SELECT ${ROW} FROM events WHERE ${IN_RANGE} ORDER BY id DESC LIMIT $6`);

/** A page of each name, merged: one walk over all names would pass by any number of others. */
const PAGE_OF_NAMES = scopedStatement(
  'events.listOfNames',
  `SELECT e.* FROM unnest($7::text[]) AS wanted (name) CROSS JOIN LATERAL (
     SELECT ${ROW} FROM events WHERE ${IN_RANGE} AND name = wanted.name ORDER BY id DESC LIMIT $6
   ) e ORDER BY "eventId" DESC LIMIT $6`,
);

const FIND = scopedStatement('events.find', `SELECT ${ROW} FROM events WHERE environment_id = $1 AND id = $2`);

/** Events of an environment, newest first. Written by the outbox alone. */
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
