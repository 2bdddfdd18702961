import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../config/index.js';
import { JobQueue, Sweeper } from '../../queue/index.js';
import { ExpiringTables } from './expired-rows.js';

const BELL = 'identity.purge';
const EVERY_MS = 60_000;
const BATCH = 1_000;

/** Removes what has expired, in batches small enough not to hold anybody up. */
@Injectable()
export class IdentityPurgeJob implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly queue: JobQueue,
    private readonly sweeper: Sweeper,
    private readonly tables: ExpiringTables,
  ) {}

  onModuleInit(): void {
    if (!this.config.runsJobs) return;
    this.queue.handle(BELL, () => this.run());
    this.sweeper.every(EVERY_MS, BELL);
  }

  async run(): Promise<void> {
    for (const table of this.tables.all) while ((await table.purge(BATCH)) === BATCH);
  }
}
