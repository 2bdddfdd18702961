import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 20;

/**
 * The first answer that is as awaited, or that of the first call which begins when the time is over. How long a call takes
 * does not count, nor whether this process stands still meanwhile: whoever asks that late has to be told what is new.
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
