import { setFlagsFromString } from 'node:v8';

/**
 * V8 (in Node 24) makes its fastest code of a function only after 3,000 calls, which for all of the functions behind a
 * request takes some 25,000 requests. Decision 0220 has what a tenth of those calls gains.
 */
export const TIER_FLAGS: readonly string[] = ['--invocation-count-for-turbofan=300'];

/** Called once the service is made: what the start alone calls so often is not worth compiling, nor the memory of it. */
export function optimizeSoon(): void {
  for (const flag of TIER_FLAGS) setFlagsFromString(flag);
}
