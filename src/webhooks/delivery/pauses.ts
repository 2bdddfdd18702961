/** Attempts in a row that run into the deadline until a webhook is paused. */
export const TIMEOUTS_UNTIL_PAUSE = 10;
/** How long nothing is sent then, before one message finds out whether the receiver answers again. */
export const PAUSE_SECONDS = 60;
