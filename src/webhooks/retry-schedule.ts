/** Seconds to wait before each attempt; the first entry is the wait before the first attempt. */
export type RetrySchedule = readonly number[];

const JITTER = 0.2;
/** An endpoint that is overloaded (429) or hangs (timeout) gets at least a minute, whatever the schedule says. */
const OVERLOAD_FLOOR_MS = 60_000;

export interface RetryInput {
  schedule: RetrySchedule;
  /** Number of the attempt that has just failed, counted from 1. */
  attempt: number;
  /** Status of the response, if there was one. */
  status?: number;
  /** The `Retry-After` field as received: seconds or an HTTP date (RFC 9110 section 10.2.3). */
  retryAfter?: string;
  failureKind?: 'timeout' | 'dns' | 'tls' | 'refused' | 'status';
  /** For evaluating a `Retry-After` date. */
  now: Date;
  /** Uniform in [0, 1). */
  random: () => number;
}

/**
 * Milliseconds until the next attempt, or null if the schedule is exhausted.
 *
 * base is the scheduled wait, at least 60 s after a 429 or a timeout; that minimum applies to every schedule, so the 15
 * s and 45 s of the sandbox become 60 s there. Without `Retry-After` the wait is base ± 20 %, never below the minimum.
 * With it the wait is the receiver's value clamped to [base, 2 × base], and the jitter only adds (up to 20 %, within
 * the clamp), so that no retry comes earlier than requested.
 */
export function nextAttemptDelayMs(input: RetryInput): number | null {
  const scheduled = input.schedule[input.attempt];
  if (scheduled === undefined || input.attempt < 1) return null;
  const floor = input.status === 429 || input.failureKind === 'timeout' ? OVERLOAD_FLOOR_MS : 0;
  const base = Math.max(scheduled * 1000, floor);
  const wish = parseRetryAfterMs(input.retryAfter, input.now);
  if (wish === null) return Math.round(Math.max(floor, base * (1 - JITTER + 2 * JITTER * input.random())));
  const wait = Math.min(Math.max(wish, base), 2 * base);
  return Math.round(Math.min(wait * (1 + JITTER * input.random()), 2 * base));
}

/** Wait in milliseconds (0 for a date in the past), or null if the field is absent or unreadable. */
export function parseRetryAfterMs(field: string | undefined, now: Date): number | null {
  const text = field?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // Only the IMF-fixdate of RFC 9110 section 5.6.7: Date.parse alone accepts much more than HTTP dates.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}

export type ResponseJudgement = 'delivered' | 'retry' | 'gone';

/**
 * Only 2xx counts as delivered. A redirect is a failure like any other, because it is never followed; 410 asks for no
 * more messages and disables the webhook.
 */
export function judgeResponse(status: number): ResponseJudgement {
  if (status >= 200 && status <= 299) return 'delivered';
  return status === 410 ? 'gone' : 'retry';
}
