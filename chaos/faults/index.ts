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
import { endpointHangs } from './f13-endpoint-hangs.js';
import { greedyAnswers } from './f14-greedy-answers.js';
import { redirects } from './f15-redirects.js';
import { namesAndLiterals } from './f16-names-and-literals.js';
import { redeemedOnce } from './f17-redeemed-once.js';
import { codesGuessed } from './f18-codes-guessed.js';
import { madeOnce } from './f19-made-once.js';
import { rungOften } from './f20-rung-often.js';
import { migratedAtOnce } from './f21-migrated-at-once.js';
import { workerPaused } from './f24-worker-paused.js';
import { idempotency } from './f26-idempotency.js';
import { proxyRetries } from './f31-proxy-retries.js';

/** The table, in order. */
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
  endpointHangs,
  greedyAnswers,
  redirects,
  namesAndLiterals,
  redeemedOnce,
  codesGuessed,
  madeOnce,
  rungOften,
  migratedAtOnce,
  workerPaused,
  idempotency,
  proxyRetries,
];

/**
 * The short run, in order: quick and informative faults first. If the time is limited, the last ones may be skipped.
 */
export const SHORT: readonly Fault[] = [
  ...[redeemedOnce, madeOnce, apiKilled, postgresCrash, workerKilled, redisFlushed, migratedAtOnce, rollingRestart],
  ...[redirects, codesGuessed, namesAndLiterals, poolExhausted, rungOften, failpoints, greedyAnswers, endpointHangs],
];
