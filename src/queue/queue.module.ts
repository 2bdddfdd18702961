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

/** A worker that was killed is noticed after about 15 s instead of Bull's default of 60 s. */
const WORKER_SETTINGS = { lockDuration: 10_000, stalledInterval: 5_000, maxStalledCount: 3 };

/** How long a stop waits for jobs. Long ones look between their steps whether there is one. */
const PATIENCE_MS = 5_000;

/** Bull would look for a Redis on this machine, in silence and for ever, and no job would be added or taken. */
function withoutRedis(): never {
  throw new Error('A queue of @nestjs/bull is registered, which needs Redis: set REDIS_URL.');
}

/**
 * Rings and jobs. With REDIS_URL, Bull is set up as any Nest module expects it: `BullModule.registerQueue`, `@Processor`
 * and `@Process` of an extension use the same Redis. Without it, a queue that is registered ends the start.
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
          BullModule.forRoot({ url: redis, prefix: 'gatehouse', settings: WORKER_SETTINGS }),
          BullModule.registerQueue({ name: DOORBELL }),
        ]
      : [BullModule.forRoot({ createClient: withoutRedis })];
    return {
      module: QueueModule,
      imports: [...bull, TypeOrmModule.forFeature([ScheduledJob])],
      providers: [
        { provide: JobQueue, useClass: redis ? BullQueue : InProcessQueue },
        // Only where somebody answers: a process without handlers must not take the rings of others.
        ...(redis && config.runsJobs ? [DoorbellProcessor] : []),
        Jobs,
        ScheduledJobsRepository,
      ],
      exports: [JobQueue, Jobs],
    };
  }

  /** While there still is a database: connections to it end with the hooks that follow. What takes longer comes to nothing. */
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
