import pg from 'pg';
import { DataSource } from 'typeorm';
import type { TestApp } from './app.js';

/** Runs SQL on the database of a service, to look behind the API or to change times. */
export const rowsOf = <T extends object>({ app }: TestApp, sql: string, values: unknown[] = []): Promise<T[]> =>
  app.get(DataSource).query<T[]>(sql, values);

/**
 * Writes many rows at once, on a connection of its own: the service's have a timeout that a slow machine would reach.
 */
export async function fillRows({ databaseUrl }: TestApp, sql: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(sql, values);
  } finally {
    await client.end();
  }
}

export interface EventRow {
  name: string;
  resourceId: string;
  userId: string | null;
  data: Record<string, unknown>;
}

/** The events of an environment in order, or those about one resource. */
export const eventsOf = (test: TestApp, environmentId: string, resourceId?: string): Promise<EventRow[]> =>
  rowsOf<EventRow>(
    test,
    `SELECT name, resource_id AS "resourceId", user_id AS "userId", data FROM events
     WHERE environment_id = $1 AND ($2::uuid IS NULL OR resource_id = $2) ORDER BY created_at, id`,
    [environmentId, resourceId ?? null],
  );
