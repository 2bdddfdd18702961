import { setTimeout as delay } from 'node:timers/promises';
import type { LoadJob, LoadRequest, LoadResult } from '../load/load-job.js';
import { median } from '../report/statistics.js';
import { cpuMs } from '../stack/cpu.js';
import type { Program } from '../stack/program.js';

export interface Contender {
  readonly origin: string;
  /** The process whose CPU time is measured. */
  readonly pid: number;
  /** A list that does not repeat loses requests as they are used. */
  readonly requests: LoadRequest[];
}

export interface Course {
  /** Part of every unique value. */
  readonly label: string;
  readonly status: number;
  readonly repeat: boolean;
  readonly rounds: number;
  readonly roundMs: number;
}

export const CONNECTIONS = 16;
/** More requests per millisecond than any contender can answer: the number of requests to send along for a round. */
const MOST_PER_MS = 6;
const WARM_UP_SHARE = 1 / 3;
/** Pause between rounds, so that leftover work of one contender does not slow down the other. */
const PAUSE_MS = 150;

/** The results of a round, and the processor time per response in milliseconds. */
export interface Round extends LoadResult {
  readonly cpuPerAnswer: number;
}

let jobs = 0;

/**
 * Runs contenders in turn, round by round, after a warm-up of each.
 * @returns each contender's results by round
 * @throws Error if any request failed: the figures would not be comparable
 */
export async function race(
  load: Program<LoadJob, LoadResult>,
  course: Course,
  contenders: readonly Contender[],
): Promise<Round[][]> {
  const run = async ({ origin, pid, requests }: Contender, durationMs: number): Promise<Round> => {
    const { label, status, repeat } = course;
    await delay(PAUSE_MS);
    const cpuBefore = cpuMs(pid);
    const result = await load.ask({
      ...{ origin, status, repeat, durationMs, connections: CONNECTIONS, label: `${label}-${(jobs += 1)}` },
      requests: repeat ? requests : requests.slice(0, Math.ceil(durationMs * MOST_PER_MS)),
    });
    if (!repeat) requests.splice(0, result.used);
    const failures = Object.entries(result.failures);
    if (failures.length > 0) throw new Error(`${label} at ${origin}: ${JSON.stringify(failures)}`);
    return { ...result, cpuPerAnswer: (cpuMs(pid) - cpuBefore) / result.answers };
  };
  for (const contender of contenders) await run(contender, course.roundMs * WARM_UP_SHARE);
  const results: Round[][] = contenders.map(() => []);
  for (let round = 0; round < course.rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) results[index]?.push(await run(contender, course.roundMs));
  }
  return results;
}

export const rates = (results: readonly LoadResult[]): number[] => results.map(({ perSecond }) => perSecond);

export const summary = (
  results: readonly Round[],
): { perSecond: number; p50: number; p99: number; cpuPerAnswer: number } => ({
  perSecond: median(rates(results)),
  p50: median(results.map(({ p50 }) => p50)),
  p99: median(results.map(({ p99 }) => p99)),
  cpuPerAnswer: median(results.map(({ cpuPerAnswer }) => cpuPerAnswer)),
});
