import { Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { unauthorized } from '../common/errors/index.js';
import { SecurityEvent } from '../common/security/index.js';
import { REFUSED_CREDENTIAL, STRATEGIES } from './bearer.strategy.js';

const OPTIONS = { session: false, property: 'principal' };

/** @param told by the one strategy, or by each of several. A credential that was sent and refused is worth a line. */
function principalOr401<T>(error: unknown, principal: T | false, told: unknown): T {
  if (error) throw error;
  if (principal) return principal;
  throw [told].flat().includes(REFUSED_CREDENTIAL)
    ? unauthorized({ security: SecurityEvent.TokenRefused })
    : unauthorized();
}

/** Proves an end user by token or cookie. */
@Injectable()
export class EndUserGuard extends AuthGuard(STRATEGIES.endUser) {
  constructor() {
    super(OPTIONS);
  }

  override handleRequest<T>(error: unknown, principal: T | false, told: unknown): T {
    return principalOr401(error, principal, told);
  }
}

/** Proves an application's server or a member, by whichever kind of bearer they sent. */
@Injectable()
export class DashboardGuard extends AuthGuard([
  STRATEGIES.environmentToken,
  STRATEGIES.personalToken,
  STRATEGIES.dashboardSession,
  STRATEGIES.walletServer,
]) {
  constructor() {
    super(OPTIONS);
  }

  override handleRequest<T>(error: unknown, principal: T | false, told: unknown): T {
    return principalOr401(error, principal, told);
  }
}
