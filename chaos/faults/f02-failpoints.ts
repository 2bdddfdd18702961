import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FAILPOINTS, FAILPOINT_MARK, type FailpointName } from '../builds/failpoints.js';
import { duplicatesOf } from '../checkers/duplicates.js';
import { judge, landed, type Finding } from '../checkers/finding.js';
import type { Instance } from '../servers/instance.js';
import type { Sink } from '../servers/sink.js';
import { readRows } from '../world/history.js';
import { EVENTS, type World } from '../world/world.js';
import type { Fault } from './fault.js';
import { happensWithin } from './when.js';

const WORKER_POINTS: ReadonlySet<FailpointName> = new Set(['after-post', 'after-record']);
/** Limit from a change to the crash it triggers. */
const PATIENCE_MS = 30_000;
const QUIET_MS = 75_000;
/** The connections of a process that crashes after a response are closed within this time. */
const CRASHED_MS = 1000;

const reached = (world: World): number =>
  world.instances.reduce((sum, { log }) => sum + readFileSync(log, 'utf8').split(FAILPOINT_MARK).length - 1, 0);

/**
 * For each repeated message, how often its sender had crashed right after the previous request without recording
 * anything, and how often not. Messages of crashed workers fall due together, so one crash may affect several.
 */
export function repetitions({ receipts, connectionEnds }: Pick<Sink, 'receipts' | 'connectionEnds'>): {
  explained: Map<string, number>;
  unexplained: string[];
} {
  const explained = new Map<string, number>();
  const unexplained: string[] = [];
  for (const [messageId, sent] of Map.groupBy(receipts, (receipt) => receipt.messageId)) {
    for (const { connection, at, endedAt } of sent.slice(0, -1)) {
      const end = connectionEnds.get(connection) ?? Infinity;
      if (end - (endedAt ?? at) < CRASHED_MS) explained.set(messageId, (explained.get(messageId) ?? 0) + 1);
      else unexplained.push(messageId);
    }
  }
  return { explained, unexplained };
}

/** One change, and the crash it triggers. The other of two instances keeps running. */
async function crashOnce(world: World, crashing: readonly Instance[]): Promise<void> {
  const anyReady = async (): Promise<boolean> =>
    (await Promise.all(crashing.map((one) => one.isReady()))).some(Boolean);
  await happensWithin(PATIENCE_MS, anyReady);
  const before = reached(world);
  const { status } = await world.load.createUser();
  // The balancer has not noticed yet that an instance is back: nothing has happened.
  if (status === 503) await delay(100);
  else await happensWithin(PATIENCE_MS, () => reached(world) > before);
}

async function phase(world: World, point: FailpointName, runs: number): Promise<Finding[]> {
  const crashing = WORKER_POINTS.has(point) ? world.workers : world.apis;
  for (const instance of crashing) {
    await instance.kill();
    instance.set({ FAILPOINT: `${point}:crash:1`, FAILPOINT_SEEN: join(world.folder, 'seen') });
    instance.respawn(true);
    await instance.start();
  }
  const before = reached(world);
  for (let tries = 0; reached(world) - before < runs && tries < 20 * runs; tries += 1) await crashOnce(world, crashing);
  const hits = reached(world) - before;
  for (const instance of crashing) {
    instance.respawn(false);
    await instance.kill();
    instance.set({ FAILPOINT: '' });
    await instance.start();
  }
  await world.untilQuiet(QUIET_MS);
  const { environmentId } = world.ground.tenant;
  const { deliveries } = await world.withDatabase((db) => readRows(db, environmentId, EVENTS));
  const found = duplicatesOf({ receipts: world.sink.receipts, deliveries });
  const says = `${found.size} messages sent twice after ${hits} crashes`;
  const wrong =
    point === 'after-post'
      ? repetitions(world.sink).unexplained.map((id) => `message ${id} was sent again although its sender lived`)
      : [...found.values()].map((count) => `${count} too many`);
  return [
    { ...landed(hits, runs, `crashes ${point}`), what: `landed ${point}` },
    judge(`duplicates ${point}`, says, wrong),
  ];
}

export const failpoints: Fault = {
  id: 'F2',
  title: 'Crash at each step between the commit and the record',
  criterion: 'lost 0, phantoms 0, duplicates only where the sender crashed after the request and before its record',
  stack: { build: 'failpoints', hooks: 1 },
  async run(world, size) {
    const runs = size === 'full' ? 100 : 2;
    const findings: Finding[] = [];
    // The failpoint that may cause a duplicate comes last, so that duplicates of the others are not attributed to it.
    const points = (Object.keys(FAILPOINTS) as FailpointName[]).sort(
      (a, b) => Number(a === 'after-post') - Number(b === 'after-post'),
    );
    for (const point of points) findings.push(...(await phase(world, point, runs)));
    const counts = [...repetitions(world.sink).explained.values()];
    const duplicates = counts.reduce((sum, count) => sum + count, 0);
    return {
      figures: { points: points.length, crashes: reached(world), repeatedMost: Math.max(0, ...counts) },
      findings,
      bounds: { duplicates, perMessage: Math.max(1, ...counts) },
    };
  },
};
