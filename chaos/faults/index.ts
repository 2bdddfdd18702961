import type { Fault } from './fault.js';
import { workerKilled } from './f01-worker-killed.js';
import { failpoints } from './f02-failpoints.js';
import { redisFlushed } from './f05-redis-flushed.js';

/** The table, in its order. */
export const FAULTS: readonly Fault[] = [workerKilled, failpoints, redisFlushed];
