import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '../../config/index.js';
import { JobQueue, Sweeper } from '../../queue/index.js';
import { SeedsRepository } from './seeds.repository.js';

const BELL = 'wallets.shred';
const HOUR_MS = 3_600_000;
const BATCH = 500;

/**
 * Destroys the seeds of deleted users once their grace is over: the row holds the only wrapped data key, so the keys
 * are gone from the database with it. Backups keep theirs until they expire or their master key is destroyed.
 */
@Injectable()
export class SeedShredder implements OnApplicationBootstrap {
  constructor(
    private readonly seeds: SeedsRepository,
    private readonly queue: JobQueue,
    private readonly sweeper: Sweeper,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.config.runsJobs) return;
    this.queue.handle(BELL, async () => {
      await this.destroyDue();
    });
    this.sweeper.every(HOUR_MS, BELL);
    // Whatever came due while no instance ran.
    this.queue.ring(BELL);
  }

  /** @returns the number of seeds destroyed */
  async destroyDue(): Promise<number> {
    let destroyed = 0;
    for (let batch = BATCH; batch === BATCH; destroyed += batch) batch = await this.seeds.destroyDue(BATCH);
    return destroyed;
  }
}
