import { setTimeout as sleep } from 'node:timers/promises';

const DAY_MS = 86_400_000;
/** The maximum duration of a test about days, on a busy machine. */
const ROOM_MS = 20_000;

/**
 * Waits for the next UTC day if the current one, and perhaps the month, is about to end, so that `today` does not
 * change.
 */
export async function roomInDay(): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left < ROOM_MS) await sleep(left + 50);
}
