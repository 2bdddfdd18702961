import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { oldRows, type EnvironmentId } from '../../database/index.js';
import { Jobs, PurgeJob } from '../../queue/index.js';
import { Erasure } from './erasure.entity.js';
import { ErasuresRepository, type OpenErasure } from './erasures.repository.js';
import { ToldTraces } from './told-traces.js';

/** Rung by whoever erases somebody. */
export const ERASURES_BELL = 'erasures.scrub';
const MINUTE_MS = 60_000;

/** Forgets what was told of people who were erased or deleted: when it is due, and once more when nothing can be on its way any more. */
@Injectable()
export class ErasuresJob implements OnModuleInit {
  private readonly log = new Logger('Erasures');

  constructor(
    private readonly jobs: Jobs,
    private readonly erasures: ErasuresRepository,
    private readonly traces: ToldTraces,
  ) {}

  onModuleInit(): void {
    this.jobs.every(ERASURES_BELL, MINUTE_MS, () => this.run());
  }

  async run(): Promise<void> {
    const open = Map.groupBy(await this.erasures.listOpen(), ({ environmentId }) => environmentId);
    for (const [environmentId, people] of open) {
      if (this.jobs.isStopping) return;
      await this.forget(environmentId, people);
    }
  }

  /** What could not be done, such as while a store is away, is done by the next run, and keeps no other tenant waiting. */
  private async forget(environmentId: EnvironmentId, people: readonly OpenErasure[]): Promise<void> {
    // Together: each time everything that the environment has told is gone through.
    const userIds = people.flatMap((person) => person.userIds);
    const erasedAt = new Date(Math.max(...people.map(({ createdAt }) => createdAt.getTime())));
    const firstVisitorId = people.map((person) => person.firstVisitorId).toSorted()[0]!;
    const ids = people.map(({ id }) => id);
    try {
      await this.traces.scrub(environmentId, { userIds, firstVisitorId, erasedAt });
      await this.erasures.settle(environmentId, ids);
    } catch (error) {
      this.log.error({ environmentId }, `Users could not be erased: ${(error as Error).message}`);
      await this.erasures.postpone(environmentId, ids);
    }
  }
}

/** Forgets that there was something to forget. */
@Injectable()
export class ErasuresPurge extends PurgeJob {
  protected readonly name = 'erasures.purge';
  protected readonly old = [oldRows(Erasure, 'scrubbedAt', { keptSeconds: 7 * 86_400 })];
}
