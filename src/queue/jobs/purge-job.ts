import { Injectable, type OnModuleInit } from '@nestjs/common';
import { OldRowsRepository, type OldRows } from '../../database/index.js';
import { Jobs } from './jobs.js';

const MINUTE_MS = 60_000;

/** Base of jobs that delete old rows in small batches. Subclasses only declare what is old. */
@Injectable()
export abstract class PurgeJob implements OnModuleInit {
  /** The bell of the job. */
  protected abstract readonly name: string;
  /** The rows to delete, table by table. */
  protected abstract readonly old: readonly OldRows[];
  protected readonly everyMs: number = MINUTE_MS;
  /** Rows per statement. */
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

  /** @returns the number of deleted rows */
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
