/** Wrong codes after which a factor waits. Counted per factor, so that none blocks another's sign-in. */
const FAILURES_BEFORE_BACK_OFF = 5;
const FIRST_WAIT_SECONDS = 15 * 60;
/** Doubles with every further five in a row; nothing is locked for good: docs/decisions/0060. */
const MOST_WAIT_SECONDS = 24 * 60 * 60;

/** Assignments that count an attempt on the row before anything is compared. */
export const COUNT_TRY = `failures_in_row = failures_in_row + 1,
     failures = CASE WHEN failures >= ${FAILURES_BEFORE_BACK_OFF} THEN 1 ELSE failures + 1 END,
     blocked_until = CASE WHEN failures + 1 = ${FAILURES_BEFORE_BACK_OFF} THEN now() + make_interval(secs =>
       least(${MOST_WAIT_SECONDS}, ${FIRST_WAIT_SECONDS} * 2.0 ^ least(failures_in_row / ${FAILURES_BEFORE_BACK_OFF}, 20))) END`;
/** The condition that the row is not waiting. */
export const MAY_TRY = 'coalesce(blocked_until <= now(), true)';
/**
 * Assignments that undo the count of a correct code that was refused. A wait ends with it, whichever of several concurrent
 * calls began it: without this count, the wrong codes are too few for one.
 */
export const TAKE_BACK =
  'failures = greatest(failures - 1, 0), failures_in_row = greatest(failures_in_row - 1, 0), blocked_until = NULL';
/** Assignments after a correct code. */
export const FORGIVE = 'failures = 0, failures_in_row = 0, blocked_until = NULL';
/** Maximum number of verified devices per user. */
export const MAX_DEVICES = 5;
export const RECOVERY_CODES = 10;
/** How long a second factor is valid for an action, and a first factor for the first device. */
export const FRESH_FACTOR_SECONDS = 300;
