import type { LoadJob, LoadResult } from '../load/load-job.js';
import type { RowName } from '../report/goals.js';
import { median, pairedRatio } from '../report/statistics.js';
import type { Row } from '../report/table.js';
import type { Program } from '../stack/program.js';
import { OPERATIONS, type Ground } from './operations.js';
import { race } from './race.js';

interface Place {
  readonly origin: string;
  readonly pid: number;
  readonly ground: Ground;
}

const GROWING: Readonly<Record<string, RowName>> = {
  'get user': 'growth of get user',
  'list of 50 users': 'growth of list of 50',
  'create user': 'growth of create user',
};

/** The same operations on a small and a large database: how much slower they are on the large one. */
export async function measureGrowth(
  load: Program<LoadJob, LoadResult>,
  course: { rounds: number; roundMs: number },
  { few, many }: { few: Place; many: Place },
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { row, status, repeat, requests } of OPERATIONS) {
    const grown = GROWING[row];
    if (grown === undefined) continue;
    const contenders = [few, many].map(({ origin, pid, ground }) => ({
      origin,
      pid,
      requests: requests(ground, 'service'),
    }));
    const results = await race(load, { ...course, label: grown.replaceAll(' ', '-'), status, repeat }, contenders);
    const [p50OfFew = [], p50OfMany = []] = results.map((rounds) => rounds.map(({ p50 }) => p50));
    const note = `p50 ${median(p50OfFew).toFixed(2)} ms with few users`;
    rows.push({ row: grown, figure: pairedRatio(p50OfMany, p50OfFew), p50: median(p50OfMany), note });
  }
  return rows;
}
