import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobQueue, Jobs } from '../../queue/index.js';
import { Retention } from './retention.js';
import { BATCH, RetentionRepository } from './retention.repository.js';

const BELL = 'webhooks.retention';
const HOUR_MS = 3_600_000;
/** Maximum full batches per run. */
const MAX_BATCHES = 40;

/** Removes deliveries, messages and events by age, oldest first, in statements that commit separately. */
@Injectable()
export class RetentionJob implements OnModuleInit {
  constructor(
    private readonly queue: JobQueue,
    private readonly jobs: Jobs,
    private readonly retention: Retention,
    private readonly rows: RetentionRepository,
  ) {}

  onModuleInit(): void {
    this.jobs.every(BELL, HOUR_MS, async () => {
      if (!(await this.run())) this.queue.ring(BELL);
    });
  }

  /** False if there is more to do. */
  async run(): Promise<boolean> {
    const cutoffs = [
      ['deliveries', await this.retention.deliveries()],
      ['messages', await this.retention.messages()],
      ['replays', await this.retention.messages()],
      ['events', await this.retention.events()],
    ] as const;
    let full = 0;
    let page = await this.rows.listEnvironments();
    while (page.length > 0) {
      for (const [kind, cutoff] of cutoffs) {
        if (this.jobs.isStopping) return false;
        while ((await this.rows.remove(kind, page, cutoff)) === BATCH) {
          if (++full >= MAX_BATCHES || this.jobs.isStopping) return false;
        }
      }
      page = await this.rows.listEnvironments(page.at(-1));
    }
    return true;
  }
}
