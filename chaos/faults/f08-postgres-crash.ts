import { setTimeout as delay } from 'node:timers/promises';
import { atMost, judge, landed } from '../checkers/finding.js';
import { percentile } from '../checkers/percentile.js';
import type { Fault } from './fault.js';
import { underWay } from './f01-worker-killed.js';
import { unknownsOf, unlike503 } from './unknowns.js';
import { underLoad } from './when.js';

const BEYOND_MS = 2000;
const CRASHES = 3;
/** Claims are committed asynchronously: the crash may undo one younger than this, and its request is sent again. */
const FLUSHED_MS = 600;
const SETTLED_MS = 4000;

export const postgresCrash: Fault = {
  id: 'F8',
  title: 'Immediate restart of PostgreSQL',
  criterion: 'acknowledged lost 0; processes stay; errors are 503; failures end 2 s after the outage (p99)',
  async run(world) {
    const outages: number[] = [];
    const beyond: number[] = [];
    let endedAt = 0;
    let allowed = 0;
    await underLoad(world, 50, async () => {
      await delay(1500);
      for (let crash = 0; crash < CRASHES; crash += 1) {
        const from = performance.now();
        allowed += underWay(world.sink, FLUSHED_MS).length;
        await world.ground.postgres.crash();
        await world.ground.postgres.restart();
        endedAt = performance.now();
        outages.push(endedAt - from);
        await delay(SETTLED_MS);
        const late = unknownsOf(world.ledger, endedAt).map(({ invokedAt }) => invokedAt - endedAt);
        beyond.push(...late, 0);
      }
    });
    const unknown = unknownsOf(world.ledger, 0);
    const gone = world.instances.filter(({ crashes, isRunning }) => crashes > 0 || !isRunning);
    return {
      figures: {
        outageMostMs: Math.round(Math.max(...outages)),
        failed: unknown.length,
        beyondP99Ms: Math.round(percentile(beyond, 0.99)),
      },
      findings: [
        landed(unknown.length > 0 ? CRASHES : 0, CRASHES, 'restarts that requests met'),
        judge(
          'processes',
          `${world.instances.length} stay`,
          gone.map(({ name }) => `${name} ended`),
        ),
        judge('answers', `${unknown.length} failed`, unlike503(unknown)),
        atMost('failures after the outage p99', percentile(beyond, 0.99), BEYOND_MS, ' ms'),
      ],
      bounds: {
        ...{ duplicates: allowed, perMessage: CRASHES },
        recovery: { endedAt, firstSuccessMs: BEYOND_MS, drainedMs: 75_000 },
      },
    };
  },
};
