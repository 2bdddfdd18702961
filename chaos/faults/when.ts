import { setTimeout as delay } from 'node:timers/promises';
import type { World } from '../world/world.js';

const POLL_MS = 10;
const CLIENTS = 8;
const MEASURED_MS = 3000;
/** One of two instances must handle everything, while the restarting one uses the machine as well. */
const SHARE = 1 / 3;

/** Whether something happens within the time limit. */
export async function happensWithin(limitMs: number, happened: () => boolean | Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (performance.now() < deadline) {
    if (await happened()) return true;
    await delay(POLL_MS);
  }
  return false;
}

/**
 * The given request rate, or less if it would overload the machine and make the fault inconclusive: the remaining
 * instances must be able to handle it.
 */
export async function bearable({ load }: World, perSecond: number): Promise<number> {
  const course = { clients: CLIENTS, ms: MEASURED_MS };
  // An instance's first responses are the slowest.
  await load.measure(course);
  const most = await load.measure(course);
  return Math.max(1, Math.min(perSecond, Math.floor(most * SHARE)));
}

/** Generates load while `work` is running. */
export async function underLoad<T>(world: World, perSecond: number, work: () => Promise<T>): Promise<T> {
  const done = new AbortController();
  const load = world.load.run({ perSecond, ms: 3_600_000, until: done.signal });
  try {
    return await work();
  } finally {
    done.abort();
    await load;
  }
}
