/** Wrong codes after which a factor waits. Each factor counts for itself, so that nobody locks another's sign-in. */
export const FAILURES_BEFORE_BACK_OFF = 5;
export const BACK_OFF_SECONDS = 900;
/** Wrong codes in a row after which a factor is closed for good (NIST SP 800-63B §5.2.2). */
export const FAILURES_BEFORE_LOCK = 100;
/** Verified devices of one user. */
export const MAX_DEVICES = 5;
export const RECOVERY_CODES = 10;
/** For so long a factor that was given is good for an action, and a first factor for the first device. */
export const FRESH_FACTOR_SECONDS = 300;
