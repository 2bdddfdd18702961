import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 20;

/**
 * The first expected result, or that of the first call begun after the time is over. The duration of a call does not
 * count, nor whether this process stalls meanwhile: a call made that late must see the new state.
 */
export async function knownWithin<T>(ms: number, ask: () => Promise<T>, isKnown: (answer: T) => boolean): Promise<T> {
  const from = performance.now();
  for (;;) {
    const isLast = performance.now() - from > ms;
    const answer = await ask();
    if (isLast || isKnown(answer)) return answer;
    await sleep(EVERY_MS);
  }
}
