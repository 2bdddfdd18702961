import type { Environment } from '../servers/instance.js';
import type { BalancerKind } from '../servers/balancer.js';
import type { RedisProfile } from '../servers/redis.js';
import type { VariantName } from '../builds/variant.js';

/** What a fault requires of its world; defaults are in {@link USUAL_STACK}. */
export interface StackWish {
  readonly apis?: number;
  readonly workers?: number;
  /** The number of webhooks, each with its own path at the sink. */
  readonly hooks?: number;
  readonly redis?: RedisProfile;
  readonly balancer?: BalancerKind;
  /** Servers reached through a proxy that can be degraded. */
  readonly proxied?: readonly ('postgres' | 'redis')[];
  /** Further settings for the instances of a role. */
  readonly api?: Environment;
  readonly worker?: Environment;
  readonly build?: VariantName;
}

/** For instances under a burst of load: on a machine that stalls for a while, no request is rejected because of it. */
export const PATIENT: Environment = { DATABASE_WAIT_MS: '10000' };

export const USUAL_STACK = {
  ...{ apis: 2, workers: 2, hooks: 10, redis: 'memory', balancer: 'haproxy', proxied: [], api: {}, worker: {} },
  build: 'production',
} as const satisfies Required<StackWish>;
