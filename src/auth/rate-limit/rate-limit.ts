import { SetMetadata } from '@nestjs/common';

/** How many calls a window admits, and for whom it counts. */
export interface RateRule {
  name: string;
  limit: number;
  windowSeconds: number;
  per: 'address' | 'environment';
}

const perMinute = (name: string, limit: number, per: RateRule['per'] = 'address'): RateRule => ({
  name,
  limit,
  windowSeconds: 60,
  per,
});

/** Enough for work, too little for a flood of what others have to clear away. */
const perHour = (name: string, limit: number): RateRule => ({ name, limit, windowSeconds: 3_600, per: 'address' });

/** The limits of the API, before `RATE_LIMIT_SCALE`. Counters that guard a secret are elsewhere and never scale. */
export const RATE_RULES = {
  /** Every client-facing path. */
  client: perMinute('client', 100),
  clientEnvironment: perMinute('client-environment', 10_000, 'environment'),
  /** Every path outside `/sdk`. */
  server: perMinute('server', 6_000),
  /** Counted before the database is asked which sites an environment admits. Browsers remember the answer for ten minutes. */
  preflight: perMinute('preflight', 600),
  signIn: perMinute('sign-in', 10),
  attempt: perMinute('attempt', 10),
  codeSending: perMinute('code-sending', 3),
  /** Registering and giving second factors; wrong codes count against their factor besides. */
  mfa: perMinute('mfa', 30),
  nonce: perMinute('nonce', 10),
  visit: perMinute('visit', 10),
  organizationsMade: perHour('organizations-made', 10),
  projectsMade: perHour('projects-made', 20),
  tokensMade: perHour('tokens-made', 60),
  /** Each takes the finished exports of the environment away, since the person is in them. */
  usersErased: perHour('users-erased', 20),
  /** Each reads a whole file, and whoever guesses addresses asks for many. */
  exportFetched: perMinute('export-fetched', 30),
  /** Each asks the DNS. */
  domainProof: perMinute('domain-proof', 10),
  simulation: perMinute('simulation', 30),
  balances: perMinute('balances', 60),
  /** Each call may make the environment's account at a vendor issue something. */
  ramp: perMinute('ramp', 30),
  /** Balances that are read anew although they are known. */
  balanceRefresh: perMinute('balance-refresh', 10),
} as const;

const LIMITS = Symbol('rate-limits');

/** Adds a limit of its own to a route. @throws Error for a second one, which would take the place of the first */
export const RateLimited =
  (rule: RateRule): MethodDecorator =>
  (controller, handler, method) => {
    const name = `${controller.constructor.name}.${String(handler)}`;
    if (rateLimitOf(method.value as object)) throw new Error(`${name} has two limits of its own; one is counted.`);
    SetMetadata(LIMITS, rule)(controller, handler, method);
  };

export const rateLimitOf = (handler: object): RateRule | undefined =>
  Reflect.getMetadata(LIMITS, handler) as RateRule | undefined;
