import { setFlagsFromString } from 'node:v8';

/**
 * V8 (in Node 24) makes its fastest code of a function that was called 3,000 times and lets most requests of the first
 * ten thousand run without it. Decision 0220 has what a tenth of that gains.
 */
export const TIER_FLAGS: readonly string[] = ['--invocation-count-for-turbofan=300'];

/** Called once the service is made: what the start alone calls so often is not worth compiling, nor the memory of it. */
export function optimizeSoon(): void {
  for (const flag of TIER_FLAGS) setFlagsFromString(flag);
}
