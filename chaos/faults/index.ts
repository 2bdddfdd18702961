import type { Fault } from './fault.js';
import { workerKilled } from './f01-worker-killed.js';
import { failpoints } from './f02-failpoints.js';
import { apiKilled } from './f03-api-killed.js';
import { rollingRestart } from './f04-rolling-restart.js';
import { redisFlushed } from './f05-redis-flushed.js';
import { redisKilled } from './f06-redis-killed.js';
import { redisPoor } from './f07-redis-poor.js';
import { postgresCrash } from './f08-postgres-crash.js';
import { connectionsEnded } from './f09-connections-ended.js';
import { poolExhausted } from './f12-pool-exhausted.js';
import { workerPaused } from './f24-worker-paused.js';
import { idempotency } from './f26-idempotency.js';
import { proxyRetries } from './f31-proxy-retries.js';

/** The table, in its order. */
export const FAULTS: readonly Fault[] = [
  workerKilled,
  failpoints,
  apiKilled,
  rollingRestart,
  redisFlushed,
  redisKilled,
  redisPoor,
  postgresCrash,
  connectionsEnded,
  poolExhausted,
  workerPaused,
  idempotency,
  proxyRetries,
];
