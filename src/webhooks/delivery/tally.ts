import type { AttemptResult } from './attempt-result.js';

/** What the results of one batch say about one webhook. */
export interface Tally {
  environmentId: string;
  webhookId: string;
  failures: number;
  /** Attempts without an answer since the last that got one. */
  timeouts: number;
  /** Whether any got one, of whatever kind. */
  answered: boolean;
}

/** One tally for each webhook that has failed, from results in the order in which they came. */
export function talliesOf(results: readonly AttemptResult[]): Tally[] {
  const tallies = new Map<string, Tally>();
  for (const { message, outcome, timedOut } of results) {
    const { environmentId, webhookId } = message;
    const before = tallies.get(webhookId) ?? { environmentId, webhookId, failures: 0, timeouts: 0, answered: false };
    tallies.set(webhookId, {
      ...before,
      failures: before.failures + (outcome === 'delivered' ? 0 : 1),
      timeouts: timedOut ? before.timeouts + 1 : 0,
      answered: before.answered || !timedOut,
    });
  }
  return [...tallies.values()].filter(({ failures }) => failures > 0);
}
