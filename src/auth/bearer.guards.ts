import { Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { unauthorized } from '../common/errors/index.js';
import { STRATEGIES } from './bearer.strategy.js';

const OPTIONS = { session: false, property: 'principal' };

function principalOr401<T>(error: unknown, principal: T | false): T {
  if (error) throw error;
  if (!principal) throw unauthorized();
  return principal;
}

/** Proves an end user by token or cookie. */
@Injectable()
export class EndUserGuard extends AuthGuard(STRATEGIES.endUser) {
  constructor() {
    super(OPTIONS);
  }

  override handleRequest<T>(error: unknown, principal: T | false): T {
    return principalOr401(error, principal);
  }
}

/** Proves an application's server or a member, by whichever kind of bearer they sent. */
@Injectable()
export class DashboardGuard extends AuthGuard([
  STRATEGIES.environmentToken,
  STRATEGIES.personalToken,
  STRATEGIES.dashboardSession,
]) {
  constructor() {
    super(OPTIONS);
  }

  override handleRequest<T>(error: unknown, principal: T | false): T {
    return principalOr401(error, principal);
  }
}
