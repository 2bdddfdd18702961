import { atMost, landed } from '../checkers/finding.js';
import { percentile } from '../checkers/percentile.js';
import type { World } from '../world/world.js';
import type { Fault } from './fault.js';

const DELAY_MS = 10_000;
const AT_ONCE = 10;
/** Bull keys of waiting wake-ups, and of those handed to a worker that has not completed them. */
const RINGS = ['gatehouse:doorbell:wait', 'gatehouse:doorbell:active'];

/** Milliseconds from each response that created a user until the last of its webhooks was called. */
export function arrivalDelays({ ledger, sink }: Pick<World, 'ledger' | 'sink'>): number[] {
  const last = new Map<string, number>();
  for (const { eventName, resourceId, at } of sink.receipts) {
    if (eventName === 'user.created' && resourceId !== null) last.set(resourceId, at);
  }
  return ledger.operations.flatMap(({ kind, outcome, resultId, endedAt }) => {
    const at = last.get(resultId ?? '');
    return kind === 'createUser' && outcome === 'ok' && at !== undefined ? [Math.max(0, at - (endedAt ?? at))] : [];
  });
}

/** The workers are stopped while events are committed, so that the flush hits unprocessed wake-ups. */
async function flush(world: World): Promise<boolean> {
  for (const worker of world.workers) worker.signal('SIGSTOP');
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, () => world.load.createUser()));
    const waiting = await Promise.all(RINGS.map((list) => world.redis.command('LLEN', list)));
    await world.redis.command('FLUSHALL');
    return waiting.some((count) => Number(count) > 0);
  } finally {
    for (const worker of world.workers) worker.signal('SIGCONT');
  }
}

export const redisFlushed: Fault = {
  id: 'F5',
  title: 'Redis FLUSHALL while events are on their way',
  criterion: 'lost 0; added delay p99 at most 10 s',
  async run(world, size) {
    const flushes = size === 'full' ? 10 : 4;
    let hits = 0;
    for (let round = 0; round < flushes; round += 1) {
      await world.load.run({ perSecond: 50, ms: 1000 });
      if (await flush(world)) hits += 1;
      // Nothing else can wake the workers: only the sweep finds the messages of the lost wake-ups.
      await world.untilQuiet(2 * DELAY_MS);
    }
    const delays = arrivalDelays(world);
    const p99 = percentile(delays, 0.99);
    return {
      figures: { flushes: hits, delayP50Ms: Math.round(percentile(delays, 0.5)), delayP99Ms: Math.round(p99) },
      findings: [landed(hits, flushes, 'flushes while rings waited'), atMost('delay p99', p99, DELAY_MS, ' ms')],
    };
  },
};
