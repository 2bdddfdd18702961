import { describe, expect, it } from '@jest/globals';
import type { Jobs } from '../../queue/index.js';
import { AnalyticsJob } from './analytics.job.js';
import type { AnalyticsRollup } from './analytics-rollup.service.js';

const idOf = (number: number): string => `0199c0de-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** As many environments as are listed at a time, and more, each of which has new facts all the time. */
function busy(environments: number, atOnce: number) {
  const steps = new Map<string, number>();
  const all = Array.from({ length: environments }, (_, at) => idOf(at));
  const rollup: Partial<AnalyticsRollup> = {
    listWaiting: (after) => Promise.resolve(all.filter((id) => after === undefined || id > after).slice(0, atOnce)),
    step: (id) => Promise.resolve(steps.set(id, (steps.get(id) ?? 0) + 1).size && 1),
    keepWindows: () => Promise.resolve(false),
  };
  return { steps, job: new AnalyticsJob({ isStopping: false } as Jobs, rollup as AnalyticsRollup) };
}

describe('a run of the figures', () => {
  it('reaches every environment, however many always have something new', async () => {
    const { steps, job } = busy(25, 10);
    await job.run();
    expect([steps.size, Math.max(...steps.values())]).toEqual([25, 1]);
  });

  it('ends where there is nothing', async () => {
    const { steps, job } = busy(0, 10);
    await job.run();
    expect(steps.size).toBe(0);
  });
});
