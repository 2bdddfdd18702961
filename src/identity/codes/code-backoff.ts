/** The wait after consecutive wrong codes: none for the first ones, then doubling with each. */
interface Backoff {
  free: number;
  mostSeconds: number;
}
/** For one network and one address. Neither figure is scaled. */
export const OF_NETWORK: Backoff = { free: 5, mostSeconds: 15 * 60 };
/** For all networks together from which nobody has signed in with the address ("strangers"). */
export const OF_STRANGERS: Backoff = { free: 20, mostSeconds: 30 * 60 };
const FIRST_WAIT_SECONDS = 30;
/** A day without a wrong code resets the count. */
const FORGOTTEN_AFTER = "interval '1 day'";
/** A wait of strangers never lasts longer, whether for codes sent or for wrong codes. */
export const STRANGERS_WINDOW = "interval '30 minutes'";

/** SQL: assignments that count a failure and set the resulting wait, for the row with that alias. */
export const failed = (row: string, { free, mostSeconds }: Backoff): string => {
  const count = `(CASE WHEN ${row}.failed_at > now() - ${FORGOTTEN_AFTER} THEN ${row}.failures ELSE 0 END + 1)`;
  const wait = `least(${mostSeconds}, ${FIRST_WAIT_SECONDS} * 2.0 ^ least(${count} - ${free + 1}, 20))`;
  return `failures = ${count}, failed_at = now(),
    waits_until = CASE WHEN ${count} > ${free} THEN now() + make_interval(secs => ${wait}) END`;
};
/** SQL: no wait, or one that is over. */
export const isFree = (row: string): string => `(${row}.waits_until IS NULL OR ${row}.waits_until <= now())`;
