import type { LoadJob, LoadRequest, LoadResult } from '../load/load-job.js';
import { pairedRatio } from '../report/statistics.js';
import type { Program } from '../stack/program.js';
import { CONNECTIONS, race, rates, summary, type Round } from './race.js';

export type Side = 'enable' | 'disable';

export interface Switched {
  readonly load: Program<LoadJob, LoadResult>;
  readonly course: { readonly rounds: number; readonly roundMs: number };
  readonly service: { readonly origin: string; readonly pid: number };
  /** Sign-ins, of which none is sent twice; the first of them are of everybody, once each. */
  readonly requests: LoadRequest[];
  readonly people: number;
  readonly label: string;
  /** Puts what is measured in force, or out of it. */
  readonly turn: (to: Side) => Promise<void>;
}

export interface InTurns {
  /** Sign-ins a second, with and without. */
  readonly service: number;
  readonly without: number;
  readonly p50: number;
  readonly p99: number;
  /** Median of the ratios of the pairs. */
  readonly figure: number;
}

/**
 * Parts of a round, after each of which the sides change. What is looked for is a few hundredths, and from second to second
 * a machine differs by more: the median of many pairs that are near each other says more than that of a few long ones.
 */
const PARTS = 6;

/**
 * Sign-ins with something in force, in turns with the same without it. Everybody comes in once before, so that neither
 * side has to write or find out about people what the other finds done. Which side is first changes from pair to pair.
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
