import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { keepTickDuring } from './tick-shape.js';

/**
 * V8 flags (in Node 24), which are not a stable interface; decision 0013 has the gain of each.
 *
 * - Without the first, V8 learns from requests waiting for the database to allocate parts of each request in the old
 *   generation, and every minor collection copies all requests since the last full one.
 * - The old generation may grow by a third before it is collected; by default it may double or more.
 */
export const HEAP_FLAGS: readonly string[] = ['--no-allocation-site-pretenuring', '--heap-growing-percent=35'];

/** By then the first requests have been answered. */
const AFTER_START_MS = 1_000;

/** Call it before the service is created. */
export function tuneHeap(): void {
  for (const flag of HEAP_FLAGS) setFlagsFromString(flag);
}

/**
 * Releases the memory that only the start needed, which V8 would keep until memory is short. Runs once, shortly after
 * the start; requests at that moment wait about 50 ms.
 */
export function collectStart(): void {
  const collect = collector();
  const collectAll = (): void => collect({ ...WHOLE, flavor: 'last-resort' });
  setTimeout(() => keepTickDuring(collectAll), AFTER_START_MS).unref();
}

/**
 * For a command that processes far more data than it holds: V8 lets the old generation grow by hundreds of megabytes
 * before its first collection, and then by a share of what it found in use.
 */
export function boundHeap(): void {
  tuneHeap();
  collector()(WHOLE);
}

const WHOLE = { type: 'major', execution: 'sync' };

function collector(): (options: object) => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as (options: object) => void;
}
