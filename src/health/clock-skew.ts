/** Milliseconds. The validity of tokens and codes is checked on several machines, which would disagree beyond this. */
export const MAX_SKEW_MS = 5_000;

/**
 * How far the clock of another machine is ahead of ours, in milliseconds. It was read at some point between `askedAt` and
 * `answeredAt`, so only what lies outside that span is skew.
 */
export function clockSkewMs(theirs: Date, askedAt: Date, answeredAt: Date): number {
  if (theirs < askedAt) return theirs.getTime() - askedAt.getTime();
  return Math.max(0, theirs.getTime() - answeredAt.getTime());
}
