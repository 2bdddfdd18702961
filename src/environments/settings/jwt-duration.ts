import type { Duration, ProjectSettings, TimeUnit } from './settings.types.js';

const SECONDS_IN: Record<TimeUnit, number> = { minutes: 60, hours: 3_600, days: 86_400 };

/** Used when an environment says nothing: a stolen token is worth little after a quarter of an hour. */
export const DEFAULT_JWT_DURATION: Duration = { amount: 15, unit: 'minutes' };
/** Below this a client with a slow clock would refresh without end. */
export const MIN_JWT_TTL_SECONDS = 5 * SECONDS_IN.minutes;
/** Above this the previous signing key would have to be kept for longer than its rotation. */
export const MAX_JWT_TTL_SECONDS = 30 * SECONDS_IN.days;

/** Length of a duration in seconds. */
export function durationSeconds({ amount, unit }: Duration): number {
  return amount * SECONDS_IN[unit];
}

/** Lifetime in seconds of the session tokens of an environment, within 5 minutes and 30 days whatever is stored. */
export function jwtTtlSeconds(settings: Pick<ProjectSettings, 'security'>): number {
  const wanted = durationSeconds(settings.security.jwtDuration ?? DEFAULT_JWT_DURATION);
  if (!Number.isFinite(wanted)) return durationSeconds(DEFAULT_JWT_DURATION);
  return Math.min(Math.max(wanted, MIN_JWT_TTL_SECONDS), MAX_JWT_TTL_SECONDS);
}
