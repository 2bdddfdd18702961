import type { Environment } from '../servers/instance.js';
import type { BalancerKind } from '../servers/balancer.js';
import type { RedisProfile } from '../servers/redis.js';
import type { VariantName } from '../builds/variant.js';

/** What a fault asks of its world; what it leaves out is as in {@link USUAL_STACK}. */
export interface StackWish {
  readonly apis?: number;
  readonly workers?: number;
  /** Webhooks, each at a path of its own at the sink. */
  readonly hooks?: number;
  readonly redis?: RedisProfile;
  readonly balancer?: BalancerKind;
  /** Servers that are reached through a proxy which can be made worse. */
  readonly proxied?: readonly ('postgres' | 'redis')[];
  /** Further settings of the instances of a role. */
  readonly api?: Environment;
  readonly worker?: Environment;
  readonly build?: VariantName;
}

/** Of instances that a crowd comes to at once: on a machine that stands still for a while nobody is put off for it. */
export const PATIENT: Environment = { DATABASE_WAIT_MS: '10000' };

export const USUAL_STACK = {
  ...{ apis: 2, workers: 2, hooks: 10, redis: 'memory', balancer: 'haproxy', proxied: [], api: {}, worker: {} },
  build: 'production',
} as const satisfies Required<StackWish>;
