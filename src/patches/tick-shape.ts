import { executionAsyncResource } from 'node:async_hooks';

const kept = new Set<object>();

/**
 * Does something while there is one of the objects that `process.nextTick` (of Node 24) makes for each call, and keeps
 * that one for good.
 *
 * What collects everything throws the code of functions away, and with it the shapes of objects of which none is left.
 * V8 learns of a literal with computed names, as that of `nextTick` is, from the first objects that it sees then, whose
 * shape still changes, and gives up on it for good: each call costs 0.4 to 0.5 µs instead of 0.07, and an answer makes six
 * of them. An object of the shape that it had come to prevents that. Decision 0222 has what it gains.
 */
export function keepTickDuring(work: () => void): void {
  process.nextTick(() => {
    kept.add(executionAsyncResource());
    work();
  });
}
