import { setTimeout as delay } from 'node:timers/promises';
import type { World } from '../world/world.js';

const POLL_MS = 10;
const CLIENTS = 8;
const MEASURED_MS = 3000;
/** One of two instances has to answer everything, and the one that comes back takes its time of the machine. */
const SHARE = 1 / 3;

/** Whether something happens within a time. */
export async function happensWithin(limitMs: number, happened: () => boolean | Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (performance.now() < deadline) {
    if (await happened()) return true;
    await delay(POLL_MS);
  }
  return false;
}

/**
 * So many requests a second, or fewer where the machine would be too busy for a fault to tell anything: what is left of an
 * installation has to answer all of them.
 */
export async function bearable({ load }: World, perSecond: number): Promise<number> {
  const course = { clients: CLIENTS, ms: MEASURED_MS };
  // The first answers of an instance take longest.
  await load.measure(course);
  const most = await load.measure(course);
  return Math.max(1, Math.min(perSecond, Math.floor(most * SHARE)));
}

/** Load for as long as something else goes on. */
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
