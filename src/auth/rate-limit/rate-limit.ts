import { SetMetadata } from '@nestjs/common';

/** A rate limit: the number of calls per window, and what they are counted by. */
export interface RateRule {
  name: string;
  limit: number;
  windowSeconds: number;
  /** `network`: per environment and IPv6 /48; IPv4 addresses are not counted by it. */
  per: 'address' | 'network' | 'environment';
}

const perMinute = (name: string, limit: number, per: RateRule['per'] = 'address'): RateRule => ({
  name,
  limit,
  windowSeconds: 60,
  per,
});

/** Hourly limits for operations with lasting effects: enough for normal work, too little for a flood. */
const perHour = (name: string, limit: number): RateRule => ({ name, limit, windowSeconds: 3_600, per: 'address' });

/** The rate limits of the API, before `RATE_LIMIT_SCALE`. Counters that protect a secret are elsewhere and never scale. */
export const RATE_RULES = {
  /** Every client-facing path. */
  client: perMinute('client', 100),
  /** A quarter of what an environment has: a /48 is 65,536 addresses here, and costs nothing. */
  clientNetwork: perMinute('client-network', 2_500, 'network'),
  clientEnvironment: perMinute('client-environment', 10_000, 'environment'),
  /** Every path outside `/sdk`. */
  server: perMinute('server', 6_000),
  /** Counted before querying which sites an environment admits. Browsers cache the result for ten minutes. */
  preflight: perMinute('preflight', 600),
  signIn: perMinute('sign-in', 10),
  attempt: perMinute('attempt', 10),
  codeSending: perMinute('code-sending', 3),
  /** Registering and giving second factors; wrong codes also count against their factor. */
  mfa: perMinute('mfa', 30),
  nonce: perMinute('nonce', 10),
  visit: perMinute('visit', 10),
  organizationsMade: perHour('organizations-made', 10),
  projectsMade: perHour('projects-made', 20),
  tokensMade: perHour('tokens-made', 60),
  /** Each call deletes the finished exports of the environment, since they contain the erased user. */
  usersErased: perHour('users-erased', 20),
  /** Each call reads a whole file; also slows down guessing of download links. */
  exportFetched: perMinute('export-fetched', 30),
  /** Each call queries the DNS. */
  domainProof: perMinute('domain-proof', 10),
  simulation: perMinute('simulation', 30),
  balances: perMinute('balances', 60),
  /** Each call may create something in the environment's account at a vendor. */
  ramp: perMinute('ramp', 30),
  /** Forced refreshes of cached balances. */
  balanceRefresh: perMinute('balance-refresh', 10),
} as const;

const LIMITS = Symbol('rate-limits');

/** Adds a rate limit to a route. @throws Error for a second one, which would replace the first */
export const RateLimited =
  (rule: RateRule): MethodDecorator =>
  (controller, handler, method) => {
    const name = `${controller.constructor.name}.${String(handler)}`;
    if (rateLimitOf(method.value as object)) throw new Error(`${name} has two rate limits; only one would be counted.`);
    SetMetadata(LIMITS, rule)(controller, handler, method);
  };

export const rateLimitOf = (handler: object): RateRule | undefined =>
  Reflect.getMetadata(LIMITS, handler) as RateRule | undefined;
