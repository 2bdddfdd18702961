import type { LoadJob, LoadResult } from '../load/load-job.js';
import type { RowName } from '../report/goals.js';
import { pairedRatio } from '../report/statistics.js';
import type { Row } from '../report/table.js';
import type { Program } from '../stack/program.js';
import { OPERATIONS, type Ground } from './operations.js';
import { race, rates, summary } from './race.js';

interface Place {
  readonly origin: string;
  readonly pid: number;
  readonly ground: Ground;
}

const GUARDED: Readonly<Record<string, RowName>> = {
  'session check': 'session check with row-level security',
  'get user': 'get user with row-level security',
  'create user': 'create user with row-level security',
};

/** The same operations on two services, one of which uses row-level security and names the tenant of each statement. */
export async function measureRowSecurity(
  load: Program<LoadJob, LoadResult>,
  course: { rounds: number; roundMs: number },
  { guarded, open }: { guarded: Place; open: Place },
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { row: operation, status, repeat, requests } of OPERATIONS) {
    const row = GUARDED[operation];
    if (row === undefined) continue;
    const contenders = [guarded, open].map(({ origin, pid, ground }) => ({
      origin,
      pid,
      requests: requests(ground, 'service'),
    }));
    const label = row.replaceAll(' ', '-');
    const [results = [], without = []] = await race(load, { ...course, label, status, repeat }, contenders);
    const { perSecond, p50, p99, cpuPerAnswer } = summary(results);
    const plain = summary(without);
    const cost = `${cpuPerAnswer.toFixed(3)} ms of processor an answer`;
    const note = `${cost}; without ${Math.round(plain.perSecond)} a second at ${plain.cpuPerAnswer.toFixed(3)}`;
    rows.push({ row, service: perSecond, p50, p99, figure: pairedRatio(rates(results), rates(without)), note });
  }
  return rows;
}
