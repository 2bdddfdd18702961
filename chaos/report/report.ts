import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../bench/stack/program.js';
import type { Finding, Verdict } from '../checkers/finding.js';

export interface Row {
  readonly id: string;
  readonly title: string;
  readonly criterion: string;
  readonly verdict: Verdict;
  readonly seconds: number;
  readonly figures: Readonly<Record<string, number | string>>;
  readonly findings: readonly Finding[];
}

export interface Report {
  readonly at: string;
  readonly seed: number;
  readonly size: string;
  readonly mutation: string | null;
  readonly versions: Readonly<Record<string, string>>;
  readonly rows: readonly Row[];
  /** Faults that did not begin because the time was over. */
  readonly left: readonly string[];
}

/** @returns the path of the file */
export function writeReport(report: Report): string {
  const folder = join(ROOT, '.cache/chaos');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${report.at.replaceAll(/[:.]/g, '-')}.json`);
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(folder, 'latest.json'), `${JSON.stringify(report, null, 2)}\n`);
  return path;
}

/** One line per fault, with the results of its criteria below. */
export function renderRow({ id, title, verdict, seconds, figures, findings }: Row): string {
  const shown = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  return [
    `${id.padEnd(4)} ${verdict.padEnd(12)} ${String(Math.round(seconds)).padStart(4)} s  ${title}`,
    `       ${shown.join(' · ')}`,
    ...findings.map((finding) => `       ${mark(finding.verdict)} ${finding.what}: ${finding.says}`),
  ].join('\n');
}

export function renderSummary({ rows, left, seed }: Pick<Report, 'rows' | 'left' | 'seed'>): string {
  const lines = rows.map(({ id, verdict, title, findings }) => {
    const wrong = findings.filter((finding) => finding.verdict !== 'PASS').map(({ what }) => what);
    return `${id.padEnd(4)} ${verdict.padEnd(12)} ${title}${wrong.length > 0 ? ` (${wrong.join(', ')})` : ''}`;
  });
  const notRun = left.length > 0 ? [`not run, because the time was over: ${left.join(' ')}`] : [];
  return [...lines, ...notRun, `seed ${seed}`].join('\n');
}

/**
 * The exit code. The short run fails only on violated criteria: on a busy machine a fault may occur when nothing was in
 * progress, which says nothing about the product. A run with a planted bug must be conclusive.
 */
export function statusOf({ rows, size, mutation }: Pick<Report, 'rows' | 'size' | 'mutation'>): 0 | 1 {
  const isLenient = size === 'smoke' && mutation === null;
  const wrong = rows.filter(({ verdict }) => verdict === 'FAIL' || (verdict === 'INCONCLUSIVE' && !isLenient));
  // If every fault missed, nothing would have been shown.
  const shown = rows.some(({ verdict }) => verdict === 'PASS');
  return wrong.length === 0 && shown ? 0 : 1;
}

const mark = (verdict: Verdict): string => ({ PASS: '+', FAIL: '-', INCONCLUSIVE: '?' })[verdict];
