/** Consecutive timeouts after which a webhook is paused. */
export const TIMEOUTS_UNTIL_PAUSE = 10;
/** Length of a pause, after which one message tests whether the receiver responds again. */
export const PAUSE_SECONDS = 60;
