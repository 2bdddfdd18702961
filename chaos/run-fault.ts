import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkAll, NO_FAULT } from './checkers/check.js';
import { beside, overall, type Finding } from './checkers/finding.js';
import { percentile } from './checkers/percentile.js';
import type { Fault, Size } from './faults/fault.js';
import type { Ledger } from './load/ledger.js';
import type { Row } from './report/report.js';
import type { Ground } from './world/ground.js';
import { Closing, type Closer } from './world/closing.js';
import { readRows } from './world/history.js';
import { EVENTS, World } from './world/world.js';

/** Everything must have been delivered by then. */
const QUIET_MS = 60_000;

/** Opens a world, runs the fault in it, waits until it is quiet, and checks every property of what is left. */
export async function runFault(ground: Ground, fault: Fault, size: Size, seed: number, run: Closer): Promise<Row> {
  const from = performance.now();
  const row = { id: fault.id, title: fault.title, criterion: fault.criterion };
  const seconds = (): number => (performance.now() - from) / 1000;
  const closing = new Closing();
  run.add({ stop: () => closing.run() });
  try {
    const world = await World.open(ground, fault.id.toLowerCase(), fault.stack ?? {}, seed, closing);
    const { figures, findings, bounds } = await fault.run(world, size);
    const limits = { ...NO_FAULT, ...bounds };
    const backlog = await world.untilQuiet(QUIET_MS, limits.waiting);
    const drainedAt = performance.now();
    const rows = await world.withDatabase((client) => readRows(client, ground.tenant.environmentId, EVENTS));
    const { operations } = world.ledger;
    const history = { ...rows, operations, receipts: world.sink.receipts, hooks: [...world.hooks.keys()] };
    const quiet: Finding = {
      what: 'quiet',
      verdict: backlog.quiet ? 'PASS' : 'FAIL',
      says: `after ${Math.round(backlog.ms)} ms ${backlog.events} events and ${backlog.messages} messages wait`,
    };
    const held = checkAll({ history, drainedAt, secrets: world.secrets, logs: logsOf(world) }, limits);
    const found = [...findings, quiet, ...held];
    const all = size === 'smoke' ? found.map(beside) : found;
    const counts = { ...figures, ...loadFigures(world) };
    return { ...row, verdict: overall(all), seconds: seconds(), figures: counts, findings: all };
  } catch (error) {
    const says = (error as Error).stack ?? String(error);
    const failed: Finding = { what: 'harness', verdict: 'FAIL', says };
    return { ...row, verdict: 'FAIL', seconds: seconds(), figures: {}, findings: [failed] };
  } finally {
    await closing.run();
  }
}

function logsOf({ folder }: World): Map<string, Buffer> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.log'));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

function loadFigures({ ledger, sink }: World): Record<string, number | string> {
  const answered = ledger.operations.filter(({ outcome }) => outcome === 'ok');
  const times = answered.map(({ invokedAt, endedAt }) => (endedAt ?? invokedAt) - invokedAt);
  const count = (outcome: string): number => ledger.operations.filter((one) => one.outcome === outcome).length;
  return {
    ...{ ok: answered.length, refused: count('refused'), unknown: count('unknown'), posts: sink.receipts.length },
    ...(count('unknown') > 0 && { why: reasons(ledger) }),
    p50Ms: Math.round(percentile(times, 0.5)),
    p95Ms: Math.round(percentile(times, 0.95)),
    p99Ms: Math.round(percentile(times, 0.99)),
  };
}

/** Counts of responses and errors that left a client in the dark, such as `503×4 ECONNRESET×1`. */
function reasons({ operations }: Ledger): string {
  const unknown = operations.filter(({ outcome }) => outcome === 'unknown');
  const groups = Map.groupBy(unknown, ({ status, error }) => String(status ?? error));
  return [...groups].map(([reason, found]) => `${reason}×${found.length}`).join(' ');
}
