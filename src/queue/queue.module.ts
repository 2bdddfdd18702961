import { setTimeout as sleep } from 'node:timers/promises';
import { BullModule } from '@nestjs/bull';
import {
  Global,
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Config } from '../config/index.js';
import { BullQueue } from './bull-queue.js';
import { DOORBELL, DoorbellProcessor } from './doorbell.processor.js';
import { InProcessQueue } from './in-process-queue.js';
import { JobQueue } from './job-queue.js';
import { Jobs } from './jobs/jobs.js';
import { ScheduledJob } from './jobs/scheduled-job.entity.js';
import { ScheduledJobsRepository } from './jobs/scheduled-jobs.repository.js';
import { queueConnection } from './queue-connection.js';
import { PREFIX } from './ring-trial.js';

/** A killed worker is detected after about 15 s instead of Bull's default of 60 s. */
const WORKER_SETTINGS = { lockDuration: 10_000, stalledInterval: 5_000, maxStalledCount: 3 };

/** How long a shutdown waits for jobs. Long jobs check for a shutdown between their steps. */
const PATIENCE_MS = 5_000;

/** Without this, Bull would silently keep trying to reach a local Redis, and no job would ever run. */
function withoutRedis(): never {
  throw new Error('A queue of @nestjs/bull is registered, which needs Redis: set REDIS_URL.');
}

/**
 * Rings and jobs. With REDIS_URL, Bull is configured as usual in Nest: `BullModule.registerQueue`, `@Processor` and
 * `@Process` of an extension use the same Redis. Without it, registering a queue makes the start fail.
 */
@Global()
@Module({})
export class QueueModule implements BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    private readonly queue: JobQueue,
    private readonly jobs: Jobs,
  ) {}

  static forRoot(config: Config): DynamicModule {
    const redis = config.get('REDIS_URL');
    const bull = redis
      ? [
          BullModule.forRoot({ redis: queueConnection(redis), prefix: PREFIX, settings: WORKER_SETTINGS }),
          BullModule.registerQueue({ name: DOORBELL }),
        ]
      : [BullModule.forRoot({ createClient: withoutRedis })];
    return {
      module: QueueModule,
      imports: [...bull, TypeOrmModule.forFeature([ScheduledJob])],
      providers: [
        { provide: JobQueue, useClass: redis ? BullQueue : InProcessQueue },
        // Only with handlers: a process without any must not take rings meant for others.
        ...(redis && config.runsJobs ? [DoorbellProcessor] : []),
        Jobs,
        ScheduledJobsRepository,
      ],
      exports: [JobQueue, Jobs],
    };
  }

  /** Runs before the hooks that close the database. Jobs that take longer than PATIENCE_MS fail. */
  async beforeApplicationShutdown(): Promise<void> {
    const limit = new AbortController();
    const ended = Promise.all([this.jobs.stop(), this.queue.rest()]);
    await Promise.race([ended, sleep(PATIENCE_MS, undefined, { signal: limit.signal }).catch(() => undefined)]);
    limit.abort();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.queue.close();
  }
}
