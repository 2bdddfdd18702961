import { setTimeout as sleep } from 'node:timers/promises';

const DAY_MS = 86_400_000;
/** What a test of days takes at most, on a machine that is busy. */
const ROOM_MS = 20_000;

/** Waits for the next day of UTC when the present one is nearly over, and with it perhaps the month: `today` stays so. */
export async function roomInDay(): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left < ROOM_MS) await sleep(left + 50);
}
