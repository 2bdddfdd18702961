import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import {
  assertComplete,
  BearerTokenStrategy,
  STRATEGIES,
  tokenCut,
  type AuthorizedRequest,
  type DashboardUserPrincipal,
} from '../../auth/index.js';
import { EnvironmentsProvisioner } from '../../organizations/index.js';
import { SessionAuthenticator } from '../sessions/session-authenticator.js';

/** Authenticates members of organizations by a session of the console environment. */
@Injectable()
export class ConsoleSessionStrategy extends PassportStrategy(BearerTokenStrategy, STRATEGIES.dashboardSession) {
  constructor(
    private readonly sessions: SessionAuthenticator,
    private readonly environments: EnvironmentsProvisioner,
  ) {
    super();
  }

  async validate(_request: AuthorizedRequest, token: string): Promise<DashboardUserPrincipal | null> {
    // API tokens are sent the same way but are not JWTs; they cost no look-up here.
    if (!token.includes('.')) return null;
    const consoleEnvironmentId = await this.environments.ensureConsole();
    const verified = await this.sessions.authenticate(consoleEnvironmentId, token);
    if (!verified || verified.tokenUse === 'spent') return null;
    if (verified.tokenUse === 'cut') throw tokenCut();
    assertComplete(verified.scopes);
    const { userId, sessionId, amr } = verified;
    return { kind: 'dashboardUser', userId, consoleEnvironmentId, tokenId: null, sessionId, amr, role: null };
  }
}
