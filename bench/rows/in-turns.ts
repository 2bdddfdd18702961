import type { LoadJob, LoadRequest, LoadResult } from '../load/load-job.js';
import { pairedRatio } from '../report/statistics.js';
import type { Program } from '../stack/program.js';
import { CONNECTIONS, race, rates, summary, type Round } from './race.js';

export type Side = 'enable' | 'disable';

export interface Switched {
  readonly load: Program<LoadJob, LoadResult>;
  readonly course: { readonly rounds: number; readonly roundMs: number };
  readonly service: { readonly origin: string; readonly pid: number };
  /** Sign-ins, none of which is sent twice; the first ones cover each user once. */
  readonly requests: LoadRequest[];
  readonly people: number;
  readonly label: string;
  /** Switches the measured feature on or off. */
  readonly turn: (to: Side) => Promise<void>;
}

export interface InTurns {
  /** Sign-ins per second, with and without the feature. */
  readonly service: number;
  readonly without: number;
  readonly p50: number;
  readonly p99: number;
  /** The median of the pairs' ratios. */
  readonly figure: number;
}

/**
 * Parts of a round, after each of which the sides change. The effect is a few per cent, less than the machine varies
 * from second to second: the median of many short pairs says more than that of a few long ones.
 */
const PARTS = 6;

/**
 * Sign-ins with a feature on, in turns with the same with it off. Everybody signs in once before, so that neither side
 * has to write or look up what the other finds done. The side that starts alternates between pairs.
 */
export async function measureInTurns(switched: Switched): Promise<InTurns> {
  const { load, course, service, requests, people, label, turn } = switched;
  const { origin, pid } = service;
  await turn('enable');
  const everybody = { origin, connections: CONNECTIONS, durationMs: 600_000, status: 200, repeat: false, label };
  const { answers } = await load.ask({ ...everybody, requests: requests.splice(0, people) });
  if (answers !== people) throw new Error(`Of ${people} people ${answers} came in.`);
  const part = { rounds: 1, roundMs: Math.ceil(course.roundMs / PARTS), label, status: 200, repeat: false };
  const sides: Record<Side, Round[]> = { enable: [], disable: [] };
  for (let pair = 0; pair < course.rounds * PARTS; pair += 1) {
    for (const side of pair % 2 === 0 ? (['enable', 'disable'] as const) : (['disable', 'enable'] as const)) {
      await turn(side);
      sides[side].push(...(await race(load, part, [{ origin, pid, requests }])).flat());
    }
  }
  const { perSecond, p50, p99 } = summary(sides.enable);
  const figure = pairedRatio(rates(sides.enable), rates(sides.disable));
  return { service: perSecond, p50, p99, figure, without: Math.round(summary(sides.disable).perSecond) };
}
