import { execFileSync } from 'node:child_process';
import { Cleanup } from '../bench/stack/cleanup.js';
import { findProgram } from '../test/support/programs.js';
import { mutationOf } from './builds/mutations.js';
import { plant } from './builds/variant.js';
import { FAULTS, SHORT } from './faults/index.js';
import type { Fault } from './faults/fault.js';
import { parseOptions, type ChaosOptions } from './options.js';
import { renderRow, renderSummary, statusOf, writeReport, type Row } from './report/report.js';
import { runFault } from './run-fault.js';
import { prepareGround } from './world/ground.js';

const MINUTE_MS = 60_000;

const log = (line: string): void => console.error(`chaos: ${line}`);

function chosen({ only: named, size, mutation }: ChaosOptions): readonly Fault[] {
  const expected = mutation === null ? null : mutationOf(mutation).caughtBy;
  const only = named.size === 0 && expected !== null ? new Set([expected]) : named;
  const unknown = [...only].filter((id) => !FAULTS.some((fault) => fault.id === id));
  if (unknown.length > 0) throw new Error(`--only names ${unknown.join(', ')}, which is no fault of the table.`);
  if (only.size > 0) return FAULTS.filter(({ id }) => only.has(id));
  return size === 'full' ? FAULTS : SHORT;
}

async function main(): Promise<number> {
  const from = performance.now();
  const options = parseOptions(process.argv.slice(2));
  const faults = chosen(options);
  if (options.mutation !== null) plant(mutationOf(options.mutation));
  const cleanup = new Cleanup();
  try {
    if (options.mutation !== null) log(`planted: ${mutationOf(options.mutation).title}`);
    log(`seed ${options.seed}, ${options.size}: ${faults.map(({ id }) => id).join(' ')}`);
    const ground = await prepareGround(cleanup, options.keep);
    const versions = versionsOf(ground.version);
    log(Object.entries(versions).flat().join(' '));
    const rows: Row[] = [];
    const left: string[] = [];
    for (const fault of faults) {
      if (performance.now() - from > options.minutes * MINUTE_MS) {
        left.push(fault.id);
        continue;
      }
      const row = await runFault(ground, fault, options.size, options.seed, cleanup);
      console.log(renderRow(row));
      rows.push(row);
    }
    const { seed, size, mutation } = options;
    const report = { at: new Date().toISOString(), seed, size, mutation, versions, rows, left };
    const path = writeReport(report);
    console.log(`\n${renderSummary(report)}`);
    log(`written to ${path}`);
    return statusOf(report);
  } finally {
    await cleanup.run();
  }
}

function versionsOf(postgres: string): Record<string, string> {
  const first = (program: string, ...words: string[]): string => {
    const path = findProgram(program) ?? `/usr/sbin/${program}`;
    try {
      return execFileSync(path, words, { encoding: 'utf8' }).split('\n')[0]?.trim() ?? '';
    } catch {
      return 'not installed';
    }
  };
  return { node: process.version, postgres, redis: first('redis-server', '-v'), balancer: first('haproxy', '-v') };
}

main().then(
  (status) => process.exit(status),
  (error: Error) => {
    console.error(error.stack ?? error.message);
    process.exit(1);
  },
);
