import { Injectable, type OnModuleInit } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { Jobs, PurgeJob } from '../../queue/index.js';
import { Erasure } from './erasure.entity.js';
import { ErasuresRepository } from './erasures.repository.js';
import { ToldTraces } from './told-traces.js';

/** Rung by whoever erases somebody. */
export const ERASURES_BELL = 'erasures.scrub';
const MINUTE_MS = 60_000;

/** Forgets what was told of people who were erased or deleted: when it is due, and once more when nothing can be on its way any more. */
@Injectable()
export class ErasuresJob implements OnModuleInit {
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
      // Together: each time everything that the environment has told is gone through.
      const userIds = people.flatMap((person) => person.userIds);
      await this.traces.scrub(environmentId, userIds);
      await this.erasures.settle(
        environmentId,
        people.map(({ id }) => id),
      );
    }
  }
}

/** Forgets that there was something to forget. */
@Injectable()
export class ErasuresPurge extends PurgeJob {
  protected readonly name = 'erasures.purge';
  protected readonly old = [oldRows(Erasure, 'scrubbedAt', { keptSeconds: 7 * 86_400 })];
}
