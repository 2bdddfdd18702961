import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { mintEnvironmentId } from '../../auth/index.js';
import { Jobs } from '../../queue/index.js';
import { AnalyticsRollup, FACTS_OF_A_STEP } from './analytics-rollup.service.js';

/** How far figures may lag behind. */
const EVERY_MS = 10_000;

/** Keeps the figures up to date, one step per environment in turn, so that a large one does not delay the others. */
@Injectable()
export class AnalyticsJob implements OnModuleInit {
  private readonly log = new Logger('Analytics');

  constructor(
    private readonly jobs: Jobs,
    private readonly rollup: AnalyticsRollup,
  ) {}

  onModuleInit(): void {
    this.jobs.every('analytics.roll', EVERY_MS, () => this.run());
  }

  /** Goes through all environments: the first may always have something new, and the last must not wait for them. */
  async run(): Promise<void> {
    for (let some = await this.rollup.listWaiting(); some.length > 0 && !this.jobs.isStopping;) {
      await this.catchUp(some);
      some = await this.rollup.listWaiting(some.at(-1));
    }
  }

  private async catchUp(environmentIds: readonly string[]): Promise<void> {
    let waiting = environmentIds;
    while (waiting.length > 0) {
      const more: string[] = [];
      for (const id of waiting) {
        if (this.jobs.isStopping) return;
        if (await this.isBehindAfterStep(id)) more.push(id);
      }
      waiting = more;
    }
  }

  /** An error with one environment must not block the others; it is retried in the next round. */
  private async isBehindAfterStep(id: string): Promise<boolean> {
    const environmentId = mintEnvironmentId(id);
    try {
      if ((await this.rollup.step(environmentId)) === FACTS_OF_A_STEP) return true;
      return await this.rollup.keepWindows(environmentId);
    } catch (error) {
      this.log.error(`Analytics of ${id} could not be updated: ${(error as Error).message}`);
      return false;
    }
  }
}
