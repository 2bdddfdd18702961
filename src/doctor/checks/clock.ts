import { MAX_SKEW_MS } from '../../health/index.js';
import { fail, ok, warn, type Finding } from '../finding.js';

/** @param skewMs how far the database clock is ahead of ours; null if it could not be read */
export function checkClock(skewMs: number | null): Finding {
  if (skewMs === null) return warn('not checked: the database cannot be used');
  const seconds = (Math.abs(skewMs) / 1000).toFixed(1);
  return Math.abs(skewMs) <= MAX_SKEW_MS
    ? ok(`${seconds} s from the database`)
    : fail(
        `${seconds} s from the database; at most ${MAX_SKEW_MS / 1000} s is tolerated`,
        'synchronise both clocks (chrony, ntpd)',
      );
}
