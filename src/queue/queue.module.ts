import { BullModule } from '@nestjs/bull';
import { Global, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../config/index.js';
import { BullQueue, DOORBELL } from './bull-queue.js';
import { InProcessQueue } from './in-process-queue.js';
import { JobQueue } from './job-queue.js';
import { Sweeper } from './sweeper.js';

/** A worker that was killed is noticed after about 15 s instead of Bull's default of 60 s. */
const WORKER_SETTINGS = { lockDuration: 10_000, stalledInterval: 5_000, maxStalledCount: 3 };

@Global()
@Module({})
export class QueueModule implements OnApplicationShutdown {
  constructor(
    private readonly queue: JobQueue,
    private readonly sweeper: Sweeper,
  ) {}

  static forRoot(config: Config): DynamicModule {
    const redis = config.get('REDIS_URL');
    const bull = redis
      ? [
          BullModule.forRoot({ url: redis, prefix: 'gatehouse', settings: WORKER_SETTINGS }),
          BullModule.registerQueue({ name: DOORBELL }),
        ]
      : [];
    return {
      module: QueueModule,
      imports: bull,
      providers: [{ provide: JobQueue, useClass: redis ? BullQueue : InProcessQueue }, Sweeper],
      exports: [JobQueue, Sweeper],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    this.sweeper.stop();
    await this.queue.close();
  }
}
