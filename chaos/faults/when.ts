import { setTimeout as delay } from 'node:timers/promises';
import type { World } from '../world/world.js';

const POLL_MS = 10;

/** Whether something happens within a time. */
export async function happensWithin(limitMs: number, happened: () => boolean | Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (performance.now() < deadline) {
    if (await happened()) return true;
    await delay(POLL_MS);
  }
  return false;
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
