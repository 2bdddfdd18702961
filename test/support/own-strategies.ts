import type { INestApplicationContext } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';
import passport from 'passport';
import { STRATEGIES, type BearerTokenStrategy } from '../../src/auth/index.js';
import { ConsoleSessionStrategy } from '../../src/identity/console/console-session.strategy.js';
import { EndUserStrategy } from '../../src/identity/sessions/end-user.strategy.js';
import { WalletServerStrategy } from '../../src/wallets/access/wallet-server.strategy.js';
import { EnvironmentTokenStrategy } from '../../src/organizations/api-tokens/environment-token.strategy.js';
import { PersonalTokenStrategy } from '../../src/organizations/api-tokens/personal-token.strategy.js';

type Name = keyof typeof STRATEGIES;
type Strategies = Record<Name, BearerTokenStrategy>;

const strategiesOf = new WeakMap<object, Strategies>();

const find = (app: INestApplicationContext): Strategies => ({
  endUser: app.get(EndUserStrategy, { strict: false }),
  dashboardSession: app.get(ConsoleSessionStrategy, { strict: false }),
  environmentToken: app.get(EnvironmentTokenStrategy, { strict: false }),
  personalToken: app.get(PersonalTokenStrategy, { strict: false }),
  walletServer: app.get(WalletServerStrategy, { strict: false }),
});

/** Delegates to the strategy of the application that received the request. */
class OwnStrategy extends passport.Strategy {
  constructor(private readonly ofKind: Name) {
    super();
  }

  override authenticate(request: Request): void {
    const own = strategiesOf.get(request.app)?.[this.ofKind];
    if (!own) throw new Error('This application was not started by startTestApp.');
    const { success, fail, error } = this;
    const asked = Object.assign(Object.create(own) as BearerTokenStrategy, { success, fail, error });
    asked.authenticate(request);
  }
}

/**
 * Passport has one strategy per name and process, the last one registered. Several applications in one process, as only
 * tests have, would authenticate callers with the last one's keys and database; this keeps them apart.
 */
export function keepStrategiesApart(app: NestExpressApplication): void {
  strategiesOf.set(app.getHttpAdapter().getInstance(), find(app));
  for (const kind of Object.keys(STRATEGIES) as Name[]) passport.use(STRATEGIES[kind], new OwnStrategy(kind));
}
