import type { AttemptResult } from './attempt-result.js';

/** One batch's results for one webhook at one URL, summed up. */
export interface Tally {
  environmentId: string;
  webhookId: string;
  url: string;
  failures: number;
  /** Timeouts since the last attempt that did not time out. */
  timeouts: number;
  /** Whether any attempt did not time out. */
  answered: boolean;
}

/** One tally for each webhook and URL with a failure, from results in order of arrival. */
export function talliesOf(results: readonly AttemptResult[]): Tally[] {
  const tallies = new Map<string, Tally>();
  for (const { message, outcome, timedOut } of results) {
    const { environmentId, webhookId, url } = message;
    const key = `${webhookId} ${url}`;
    const before = tallies.get(key) ?? { environmentId, webhookId, url, failures: 0, timeouts: 0, answered: false };
    tallies.set(key, {
      ...before,
      failures: before.failures + (outcome === 'delivered' ? 0 : 1),
      timeouts: timedOut ? before.timeouts + 1 : 0,
      answered: before.answered || !timedOut,
    });
  }
  return [...tallies.values()].filter(({ failures }) => failures > 0);
}
