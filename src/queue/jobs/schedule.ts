/** When a job runs: at an interval, or daily at a time. */
export type Schedule = { readonly everyMs: number } | { readonly dailyAt: string };

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** @throws RangeError */
export function every(everyMs: number): Schedule {
  if (!(everyMs > 0)) throw new RangeError(`A job cannot run every ${everyMs} ms.`);
  return { everyMs };
}

/** @param time `HH:MM` in UTC @throws RangeError */
export function daily(time: string): Schedule {
  if (!TIME.test(time)) throw new RangeError(`${JSON.stringify(time)} is not a time of the day such as 03:30.`);
  return { dailyAt: time };
}
