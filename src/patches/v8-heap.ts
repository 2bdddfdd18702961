import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { keepTickDuring } from './tick-shape.js';

/**
 * Flags of V8 (in Node 24), which are nobody's promise; decision 0013 has what each of them gains.
 *
 * - Without the first, V8 learns from requests that wait for the database to allocate parts of each request among the old
 *   objects, and every collection of the young ones copies all the requests since the last full collection.
 * - The old objects may grow by a third before they are collected, where V8 would let them double or more.
 */
export const HEAP_FLAGS: readonly string[] = ['--no-allocation-site-pretenuring', '--heap-growing-percent=35'];

/** The first requests are answered by then. */
const AFTER_START_MS = 1_000;

/** Called before the service is made. */
export function tuneHeap(): void {
  for (const flag of HEAP_FLAGS) setFlagsFromString(flag);
}

/**
 * Gives back what only the start needed, which V8 would keep until it is short of memory. Once, a moment after the
 * start; requests of that moment wait some 50 ms.
 */
export function collectStart(): void {
  const collect = collector();
  const collectAll = (): void => collect({ ...WHOLE, flavor: 'last-resort' });
  setTimeout(() => keepTickDuring(collectAll), AFTER_START_MS).unref();
}

/**
 * For a command that goes over far more than it holds: V8 lets old objects grow by hundreds of megabytes before it looks
 * at them for the first time, and from then on by a part of what it found to be in use.
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
