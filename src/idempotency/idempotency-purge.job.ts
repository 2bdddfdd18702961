import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../config/index.js';
import { JobQueue, Sweeper } from '../queue/index.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';

const BELL = 'idempotency.purge';
const EVERY_MS = 60_000;
const BATCH = 1_000;

/** Removes answers that are older than a day, in batches small enough not to hold anybody up. */
@Injectable()
export class IdempotencyPurge implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly queue: JobQueue,
    private readonly sweeper: Sweeper,
    private readonly keys: IdempotencyKeysRepository,
  ) {}

  onModuleInit(): void {
    if (!this.config.runsJobs) return;
    this.queue.handle(BELL, () => this.run());
    this.sweeper.every(EVERY_MS, BELL);
  }

  async run(): Promise<void> {
    while ((await this.keys.purge(BATCH)) === BATCH);
  }
}
