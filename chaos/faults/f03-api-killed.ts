import { setTimeout as delay } from 'node:timers/promises';
import { atMost, judge, landed } from '../checkers/finding.js';
import { percentile } from '../checkers/percentile.js';
import type { Fault } from './fault.js';
import { createUntilAnswered, effectsOf } from './keyed.js';
import { unknownsOf } from './unknowns.js';
import { bearable, underLoad } from './when.js';

const PER_SECOND = 100;
const AT_ONCE = 20;
/** The usual number of requests in progress; a temporarily slow machine has more. */
const MOST_FAILURES = 50;
const RECOVERY_MS = 2000;
/** This many milliseconds after a burst of requests was sent, some are being processed. */
const WORKING_MS = 4;

export const apiKilled: Fault = {
  id: 'F3',
  title: 'kill -9 of one API instance of two behind the balancer',
  criterion: 'failures at most the requests under way (50); repeated with a key: no effect twice; recovery p99 2 s',
  stack: { hooks: 2 },
  async run(world, size) {
    const kills = size === 'full' ? 10 : 3;
    const failures: number[] = [];
    let mostUnderWay = 0;
    const beyond: string[] = [];
    const windows: number[] = [];
    const keys: string[] = [];
    const perSecond = await bearable(world, PER_SECOND);
    await underLoad(world, perSecond, async () => {
      for (let kill = 0; kill < kills; kill += 1) {
        await delay(1000);
        const crowdKeys = Array.from({ length: AT_ONCE }, (_, index) => `kill-${kill}-${index}`);
        keys.push(...crowdKeys);
        const crowd = Array.from({ length: AT_ONCE }, () => world.load.createUser());
        const keyed = crowdKeys.map((key) => createUntilAnswered(world, key));
        await delay(WORKING_MS);
        const instance = world.apis[kill % world.apis.length];
        const from = performance.now();
        await instance?.kill();
        const underWay = world.ledger.operations.filter(
          ({ endedAt, invokedAt }) => (endedAt === null || endedAt >= from) && invokedAt <= performance.now(),
        );
        await Promise.all([...crowd, ...keyed]);
        await delay(RECOVERY_MS);
        const failed = unknownsOf(world.ledger, from - 5000).filter(({ endedAt }) => (endedAt ?? 0) >= from);
        failures.push(failed.length);
        mostUnderWay = Math.max(mostUnderWay, underWay.length);
        if (failed.length > underWay.length) beyond.push(`${failed.length} failed of ${underWay.length} under way`);
        windows.push(Math.max(0, ...failed.map(({ endedAt }) => (endedAt ?? from) - from)));
        await instance?.start();
      }
    });
    const effects = await effectsOf(world, keys);
    const wrong = [...effects].filter(([, count]) => count !== 1).map(([key, count]) => `${key} took effect ${count}×`);
    const hits = failures.filter((count) => count > 0).length;
    return {
      figures: {
        kills,
        perSecond,
        failuresMost: Math.max(...failures),
        recoveryP99Ms: Math.round(percentile(windows, 0.99)),
      },
      findings: [
        landed(hits, Math.ceil(kills / 2), 'kills that cut requests off'),
        atMost('failures of a kill', Math.max(...failures), Math.max(MOST_FAILURES, mostUnderWay)),
        judge('failures under way', `${kills} kills`, beyond),
        judge('effects of keys', `${keys.length} keys`, wrong),
        atMost('recovery p99', percentile(windows, 0.99), RECOVERY_MS, ' ms'),
      ],
    };
  },
};
