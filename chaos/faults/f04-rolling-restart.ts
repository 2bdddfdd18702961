import { setTimeout as delay } from 'node:timers/promises';
import { atMost, judge, landed } from '../checkers/finding.js';
import type { Instance } from '../servers/instance.js';
import type { Fault } from './fault.js';
import { underLoad } from './when.js';

const EXIT_MS = 25_000;
/** By then the balancer has noticed that an instance is back. */
const NOTICED_MS = 1500;

export const rollingRestart: Fault = {
  id: 'F4',
  title: 'Rolling restart of every instance by SIGTERM',
  criterion: 'no failed request, no reset; exit within 25 s; no duplicate',
  async run(world, size) {
    for (const hook of world.hooks.keys()) world.sink.become(hook, { kind: 'ok', delayMs: 50 });
    const rounds = size === 'full' ? 2 : 1;
    const exits: number[] = [];
    const codes: string[] = [];
    let sending = 0;
    const restart = async (instance: Instance): Promise<void> => {
      const { ms, code } = await instance.terminate();
      exits.push(ms);
      if (code !== 0) codes.push(`${instance.name} left with ${code}`);
      await instance.start();
    };
    await underLoad(world, 50, async () => {
      await delay(1000);
      for (let step = 0; step < rounds * world.apis.length; step += 1) {
        if (world.sink.open > 0) sending += 1;
        const pair = [world.apis, world.workers].flatMap((all) => all[step % all.length] ?? []);
        await Promise.all(pair.map(restart));
        await delay(NOTICED_MS);
      }
    });
    const failed = world.ledger.operations
      .filter(({ outcome }) => outcome !== 'ok')
      .map(({ kind, status, error }) => `${kind} was answered ${status ?? error}`);
    return {
      figures: { restarts: exits.length, exitMostMs: Math.round(Math.max(...exits)), failed: failed.length },
      findings: [
        landed(sending, rounds, 'restarts while webhooks were being sent'),
        judge('failed requests', `${world.ledger.operations.length} requests`, failed),
        judge('exit codes', `${exits.length} exits`, codes),
        atMost('exit', Math.max(...exits), EXIT_MS, ' ms'),
      ],
      bounds: { recovery: { endedAt: performance.now(), drainedMs: 10_000 } },
    };
  },
};
