import { Global, Module, type DynamicModule } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Config } from '../config/index.js';
import { dataSourceOptions, START_WAIT_MS } from './data-source.js';
import { Database } from './database.js';
import { applyMigrations } from './migrate.js';
import { ForeignSeals } from './foreign-seals.js';
import { OutboxEvent } from './outbox/outbox-event.entity.js';
import { MergedRows } from './merging/merged-rows.js';
import { MergedTables } from './merging/merged-tables.js';
import { MovedRows } from './moving/moved-rows.js';
import { LeftEventsRepository } from './outbox/left-events.repository.js';
import { Outbox } from './outbox/outbox.js';
import { keepRowSecurity } from './row-security/policies.js';
import { EnvironmentRows } from './purge/environment-rows.js';
import { PersonRows } from './purge/person-rows.js';
import { OldRowsRepository } from './purge/old-rows.js';
import { poolOf } from './pooled-driver.js';
import { ServiceSecret } from './service-secret.entity.js';
import { UnitOfWork } from './unit-of-work.js';

@Global()
@Module({})
export class DatabaseModule {
  /** @param config names the server in DATABASE_URL; its schema is migrated before anything reads it */
  static forRoot(config: Config): DynamicModule {
    const connection = {
      url: config.get('DATABASE_URL') ?? '',
      pool: config.databasePool,
      wait: config.get('DATABASE_WAIT_MS'),
    };
    const namesTenants = config.get('DATABASE_ROW_SECURITY') === 'on';
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => {
            const usual = dataSourceOptions(connection);
            const extra = {
              ...(usual.extra as object),
              connectionTimeoutMillis: Math.max(connection.wait, START_WAIT_MS),
            };
            return { ...usual, extra, autoLoadEntities: true, retryAttempts: 0 };
          },
          dataSourceFactory: async (options) => {
            const source = await new DataSource(options!).initialize();
            // Read for each new connection: those of requests have less time than the first.
            poolOf(source).options.connectionTimeoutMillis = connection.wait;
            await applyMigrations(source);
            await keepRowSecurity(source, namesTenants);
            return source;
          },
        }),
        TypeOrmModule.forFeature([OutboxEvent, ServiceSecret]),
      ],
      providers: [
        {
          provide: Database,
          useFactory: (source: DataSource) => new Database(source, namesTenants),
          inject: [getDataSourceToken()],
        },
        UnitOfWork,
        Outbox,
        EnvironmentRows,
        ForeignSeals,
        LeftEventsRepository,
        MergedRows,
        MergedTables,
        MovedRows,
        OldRowsRepository,
        PersonRows,
      ],
      exports: [
        ...[
          Database,
          UnitOfWork,
          Outbox,
          EnvironmentRows,
          ForeignSeals,
          MergedRows,
          MergedTables,
          MovedRows,
          OldRowsRepository,
        ],
        ...[LeftEventsRepository, PersonRows],
      ],
    };
  }
}
