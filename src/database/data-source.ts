import type { DataSourceOptions } from 'typeorm';
import { MIGRATIONS } from './migrations.js';
import { SnakeCaseNaming } from './naming.js';

interface ConnectionOptions {
  url: string;
  pool: number;
}

/** How every process of the service talks to PostgreSQL. Time-outs are milliseconds. */
export const dataSourceOptions = ({ url, pool }: ConnectionOptions): DataSourceOptions => ({
  type: 'postgres',
  url,
  namingStrategy: new SnakeCaseNaming(),
  synchronize: false,
  migrations: MIGRATIONS,
  migrationsTableName: 'migrations',
  invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
  applicationName: 'gatehouse',
  extra: {
    max: pool,
    connectionTimeoutMillis: 2_000,
    statement_timeout: 5_000,
    lock_timeout: 3_000,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    // A statement is sent without waiting for the one before it, so BEGIN costs no round trip of its own.
    pipeline: true,
  },
});
