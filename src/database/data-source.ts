import { Logger } from '@nestjs/common';
import type { DataSourceOptions } from 'typeorm';
import { GatheredSocket } from './gathered-socket.js';
import { MIGRATIONS } from './migrations.js';
import { SnakeCaseNaming } from './naming.js';
import { pooledDriver } from './pooled-driver.js';
import { preparedSessions } from './session.js';

interface ConnectionOptions {
  url: string;
  pool: number;
  /** Milliseconds to wait for a connection; lock and statement timeouts are derived from it. */
  wait?: number;
  /** Milliseconds; 0 for no limit. */
  statementTimeout?: number;
  /** Milliseconds. */
  lockTimeout?: number;
}

/** For connections of a start: a database to which many instances turn at once, as after an outage, is slow to accept. */
export const START_WAIT_MS = 10_000;

const log = new Logger('Database');

/** How every process of the service talks to PostgreSQL. Time-outs are milliseconds. */
export const dataSourceOptions = ({
  url,
  pool,
  wait = 2_000,
  statementTimeout = 2.5 * wait,
  lockTimeout = 1.5 * wait,
}: ConnectionOptions): DataSourceOptions => ({
  type: 'postgres',
  url,
  driver: pooledDriver(),
  namingStrategy: new SnakeCaseNaming(),
  synchronize: false,
  migrations: MIGRATIONS,
  migrationsTableName: 'migrations',
  invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
  applicationName: 'gatehouse',
  // The server ends idle connections, for instance on a restart; the pool then opens new ones.
  poolErrorHandler: (error: Error) => log.warn(`An idle connection ended: ${error.message}`),
  extra: {
    max: pool,
    connectionTimeoutMillis: wait,
    ...preparedSessions({ statement: statementTimeout, lock: lockTimeout, idleInTransaction: 5 * wait }, wait),
    // The server enforces the statement timeout, unless it vanished (a power failure): the system would then wait a
    // quarter of an hour. Twice as long, since a statement may wait for others sent before it.
    ...(statementTimeout > 0 && { query_timeout: 2 * statementTimeout }),
    keepAlive: true,
    // Statements are sent without waiting for the previous one, so BEGIN costs no extra round trip.
    pipeline: true,
    stream: () => new GatheredSocket(),
  },
});
