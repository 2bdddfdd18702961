import type { Duration, ProjectSettings, TimeUnit } from './settings.types.js';

const SECONDS_IN: Record<TimeUnit, number> = { minutes: 60, hours: 3_600, days: 86_400 };

/** The default: after a quarter of an hour, a stolen token is of little use. */
export const DEFAULT_JWT_DURATION: Duration = { amount: 15, unit: 'minutes' };
/** With a shorter lifetime, a client with a slow clock would refresh endlessly. */
export const MIN_JWT_TTL_SECONDS = 5 * SECONDS_IN.minutes;
/** With a longer lifetime, the previous signing key would have to be kept beyond its retention. */
export const MAX_JWT_TTL_SECONDS = 30 * SECONDS_IN.days;

/** Length of a duration in seconds. */
export function durationSeconds({ amount, unit }: Duration): number {
  return amount * SECONDS_IN[unit];
}

/** Session token lifetime in seconds, clamped to between 5 minutes and 30 days whatever is stored. */
export function jwtTtlSeconds(settings: Pick<ProjectSettings, 'security'>): number {
  const wanted = durationSeconds(settings.security.jwtDuration ?? DEFAULT_JWT_DURATION);
  if (!Number.isFinite(wanted)) return durationSeconds(DEFAULT_JWT_DURATION);
  return Math.min(Math.max(wanted, MIN_JWT_TTL_SECONDS), MAX_JWT_TTL_SECONDS);
}
