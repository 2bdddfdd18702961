import { Injectable, type OnModuleInit } from '@nestjs/common';
import { OldRowsRepository, type OldRows } from '../../database/index.js';
import { Jobs } from './jobs.js';

const MINUTE_MS = 60_000;

/** Removes rows that are old, in batches small enough not to hold anybody up: a declaration, and no more. */
@Injectable()
export abstract class PurgeJob implements OnModuleInit {
  /** Its bell. */
  protected abstract readonly name: string;
  /** What is old; one table after the other. */
  protected abstract readonly old: readonly OldRows[];
  protected readonly everyMs: number = MINUTE_MS;
  /** Rows of one statement. */
  protected readonly batch: number = 1_000;

  constructor(
    private readonly jobs: Jobs,
    private readonly rows: OldRowsRepository,
  ) {}

  onModuleInit(): void {
    this.jobs.every(this.name, this.everyMs, async () => {
      await this.run();
    });
  }

  /** @returns how many rows were removed */
  async run(): Promise<number> {
    let removed = 0;
    for (const old of this.old) {
      for (let batch = this.batch; batch === this.batch && !this.jobs.isStopping; removed += batch) {
        batch = await this.rows.remove(old, this.batch);
      }
    }
    return removed;
  }
}
