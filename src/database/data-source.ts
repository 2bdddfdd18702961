import { Logger } from '@nestjs/common';
import type { DataSourceOptions } from 'typeorm';
import { GatheredSocket } from './gathered-socket.js';
import { MIGRATIONS } from './migrations.js';
import { SnakeCaseNaming } from './naming.js';
import { pooledDriver } from './pooled-driver.js';

interface ConnectionOptions {
  url: string;
  pool: number;
  /** For a connection, in milliseconds; locks and statements have more, in proportion. */
  wait?: number;
  /** Milliseconds; 0 for no limit. */
  statementTimeout?: number;
}

const log = new Logger('Database');

/** How every process of the service talks to PostgreSQL. Time-outs are milliseconds. */
export const dataSourceOptions = ({
  url,
  pool,
  wait = 2_000,
  statementTimeout = 2.5 * wait,
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
  // Idle connections that the server ends, as when it restarts: the pool opens others.
  poolErrorHandler: (error: Error) => log.warn(`An idle connection ended: ${error.message}`),
  extra: {
    max: pool,
    connectionTimeoutMillis: wait,
    statement_timeout: statementTimeout,
    // The server ends a statement, unless it is out of reach without a word, as a host is that lost its power: the system
    // would wait for a quarter of an hour. Twice as long, since a statement may wait for others that were sent before it.
    ...(statementTimeout > 0 && { query_timeout: 2 * statementTimeout }),
    lock_timeout: 1.5 * wait,
    idle_in_transaction_session_timeout: 5 * wait,
    keepAlive: true,
    // A statement is sent without waiting for the one before it, so BEGIN costs no round trip of its own.
    pipeline: true,
    stream: () => new GatheredSocket(),
  },
});
