import { Injectable, type OnModuleInit } from '@nestjs/common';
import { mintEnvironmentId } from '../../auth/index.js';
import { EnvironmentRows } from '../../database/index.js';
import { JobQueue, Jobs } from '../../queue/index.js';
import { DeletedEnvironmentsRepository, MAX_DELETED } from './deleted-environments.repository.js';

const BELL = 'environments.purge';
/** A ring can be lost with its instance, or fail. With nothing to remove, a run takes two look-ups in small indexes. */
const FIVE_MINUTES_MS = 300_000;
/** Longer than any instance caches an environment, so that nothing is written while its rows are removed. */
export const GRACE_SECONDS = 5;
const FIRST = '00000000-0000-0000-0000-000000000000';
const BATCH = 500;
/** Per run. */
const MAX_BATCHES = 20;

/** Removes the rows of deleted projects in separately committed batches; an interrupted run is resumed by the next. */
@Injectable()
export class EnvironmentsPurge implements OnModuleInit {
  constructor(
    private readonly deleted: DeletedEnvironmentsRepository,
    private readonly rows: EnvironmentRows,
    private readonly queue: JobQueue,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.every(BELL, FIVE_MINUTES_MS, async () => {
      if (!(await this.run())) this.queue.ring(BELL);
    });
    this.ring();
  }

  /** Called after environments were marked as deleted. */
  ring(): void {
    this.queue.ring(BELL, (GRACE_SECONDS + 1) * 1_000);
  }

  /**
   * False when there is more to do.
   *
   * @throws the error that blocked a removal, after all others were removed: one tenant's table must not keep the data
   *   of another
   */
  async run(): Promise<boolean> {
    const failures: unknown[] = [];
    const left = { batches: MAX_BATCHES };
    for (let after = FIRST, found = MAX_DELETED; found === MAX_DELETED;) {
      const ids = await this.deleted.listEnvironments(GRACE_SECONDS, after);
      for (const id of ids) {
        try {
          if (!(await this.remove(id, left))) return false;
        } catch (error) {
          failures.push(error);
        }
        after = id;
      }
      found = ids.length;
    }
    await this.deleted.removeProjects();
    if (failures.length > 0) throw failures[0];
    return true;
  }

  /** False when the batch limit was reached, or a stop began, first. */
  private async remove(id: string, left: { batches: number }): Promise<boolean> {
    const environmentId = mintEnvironmentId(id);
    for (const table of await this.rows.tables()) {
      if (this.jobs.isStopping) return false;
      while ((await this.rows.remove(table, environmentId, BATCH)) === BATCH) {
        if (--left.batches <= 0 || this.jobs.isStopping) return false;
      }
    }
    await this.deleted.removeEnvironment(id);
    return true;
  }
}
