import type { SendingLimits } from './codes.repository.js';

const COOLDOWN_SECONDS = 30;
const PER_HOUR = 5;
const PER_DAY = 10;
/** Enough for four networks, and a bound for attackers with many. */
const PER_WINDOW = 20;

/** Scaled like the other rate limits: a factor of ten means ten times the codes and a tenth of the cooldown. */
export const sendingLimits = (scale: number): SendingLimits => ({
  cooldownSeconds: COOLDOWN_SECONDS / scale,
  perHour: Math.max(1, Math.round(PER_HOUR * scale)),
  perDay: Math.max(1, Math.round(PER_DAY * scale)),
  perWindow: Math.max(1, Math.round(PER_WINDOW * scale)),
});
