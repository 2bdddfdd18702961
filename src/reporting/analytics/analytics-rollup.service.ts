import { Injectable } from '@nestjs/common';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { AnalyticsRollupRepository } from './analytics-rollup.repository.js';
import { CHUNK, countsOf, presenceOf, type Fact } from './rollup.js';

/** Facts per transaction: enough to amortise the work, few enough for the sets of their quarters to fit into memory. */
export const FACTS_OF_A_STEP = 3_000;

/** Windows per transaction, as the number of hours in which they end. */
const HOURS_OF_A_STEP = 24;

const idsOf = (facts: readonly Fact[], key: 'userId' | 'visitorId'): string[] => [
  ...new Set(facts.map((fact) => fact[key]).filter((id) => id !== null)),
];

/** Aggregates facts into figures, each exactly once, even after failures. */
@Injectable()
export class AnalyticsRollup {
  constructor(
    private readonly work: UnitOfWork,
    private readonly figures: AnalyticsRollupRepository,
  ) {}

  /** Environments with pending facts, after this one; empty if there are no more. */
  listWaiting(after?: string): Promise<string[]> {
    return this.figures.listWaiting(after);
  }

  /** @returns the number of facts processed; less than `FACTS_OF_A_STEP` when none are left */
  step(environmentId: EnvironmentId): Promise<number> {
    return this.work.run(async (tx) => {
      const given = await this.figures.hold(environmentId, tx);
      const facts = await this.figures.take(environmentId, FACTS_OF_A_STEP, tx);
      if (facts.length < FACTS_OF_A_STEP) await this.figures.forgetDepartures(environmentId, FACTS_OF_A_STEP, tx);
      if (facts.length === 0) return 0;
      const people = { users: idsOf(facts, 'userId'), visitors: idsOf(facts, 'visitorId') };
      const places = await this.figures.placesOf(environmentId, people, given, tx);
      await this.figures.add(environmentId, countsOf(facts), tx);
      await this.figures.mark(environmentId, presenceOf(facts, places), tx);
      return facts.length;
    });
  }

  /**
   * Stores completed windows once there are more people than fit into one row of a set: below that, reading hours is as
   * fast as reading windows. @returns whether there are more to store
   */
  keepWindows(environmentId: EnvironmentId): Promise<boolean> {
    return this.work.run(async (tx) => {
      const { users, visitors } = await this.figures.hold(environmentId, tx);
      return Math.max(users, visitors) > CHUNK && this.figures.keepWindows(environmentId, HOURS_OF_A_STEP, tx);
    });
  }

  /**
   * Recounts the sessions and wallets of an environment. If interrupted while counting, the worker finishes the rest;
   * if interrupted earlier, nothing has changed.
   */
  async rebuild(environmentId: EnvironmentId, report: (done: number, total: number) => void): Promise<number> {
    const total = await this.work.run(async (tx) => {
      await this.figures.hold(environmentId, tx);
      return this.figures.startOver(environmentId, tx);
    });
    let done = 0;
    for (let taken = FACTS_OF_A_STEP; taken === FACTS_OF_A_STEP;) {
      taken = await this.step(environmentId);
      done += taken;
      report(Math.min(done, total), total);
    }
    return total;
  }
}
