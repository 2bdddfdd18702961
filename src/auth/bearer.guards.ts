import { Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { unauthorized } from '../common/errors/index.js';
import { SecurityEvent } from '../common/security/index.js';
import { REFUSED_CREDENTIAL, STRATEGIES } from './bearer.strategy.js';

const OPTIONS = { session: false, property: 'principal' };

/** @param info what one or several strategies reported. A credential that was sent and refused is logged as a security event. */
function principalOr401<T>(error: unknown, principal: T | false, info: unknown): T {
  if (error) throw error;
  if (principal) return principal;
  throw [info].flat().includes(REFUSED_CREDENTIAL)
    ? unauthorized({ security: SecurityEvent.TokenRefused })
    : unauthorized();
}

/** Authenticates an end user by token or cookie. */
@Injectable()
export class EndUserGuard extends AuthGuard(STRATEGIES.endUser) {
  constructor() {
    super(OPTIONS);
  }

  override handleRequest<T>(error: unknown, principal: T | false, info: unknown): T {
    return principalOr401(error, principal, info);
  }
}

/** Authenticates an application's server or a member, by whichever kind of bearer token they sent. */
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

  override handleRequest<T>(error: unknown, principal: T | false, info: unknown): T {
    return principalOr401(error, principal, info);
  }
}
