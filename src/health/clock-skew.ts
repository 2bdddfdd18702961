/** Tokens and codes are judged by clocks of several machines; beyond this they would disagree. Milliseconds. */
export const MAX_SKEW_MS = 5_000;

/**
 * How far the clock of another machine is from ours, in milliseconds, positive when it is ahead. Its answer took
 * somewhere between `askedAt` and `answeredAt`, so only what lies outside of that span is skew.
 */
export function clockSkewMs(theirs: Date, askedAt: Date, answeredAt: Date): number {
  if (theirs < askedAt) return theirs.getTime() - askedAt.getTime();
  return Math.max(0, theirs.getTime() - answeredAt.getTime());
}
