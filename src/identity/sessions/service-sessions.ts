import { Injectable } from '@nestjs/common';
import { BACKUP_SCOPE, type EndUserPrincipal, type ServiceAudience } from '../../auth/index.js';
import { isUuid } from '../../common/ids.js';
import type { EnvironmentId } from '../../database/index.js';
import { LiveSessions } from './live-sessions.js';
import { PurposeTokens } from './purpose-tokens.js';
import { SessionAuthenticator, type LiveToken } from './session-authenticator.js';

/** The services that users have tokens for besides their session tokens. */
export const USER_SERVICES = ['wallets', 'mpc', 'backup'] as const satisfies readonly ServiceAudience[];
export type UserService = (typeof USER_SERVICES)[number];

const SECONDS: Readonly<Record<UserService, number>> = { wallets: 300, mpc: 300, backup: 60 };

/**
 * Short-lived tokens that give the user of a session access to one service, and end with the session. Each is bound to
 * the session token it was requested with and worth no more: what is outstanding, replaced or cut there applies here, and
 * it ends with the site that token was issued to.
 */
@Injectable()
export class ServiceSessions {
  constructor(
    private readonly tokens: PurposeTokens,
    private readonly sessions: LiveSessions,
    private readonly authenticator: SessionAuthenticator,
  ) {}

  issue(environmentId: EnvironmentId, service: UserService, caller: EndUserPrincipal): Promise<string> {
    const { userId, sessionId, tokenId, scopes, issuedTo: site } = caller;
    const scope = [...scopes, ...(service === 'backup' ? [BACKUP_SCOPE] : [])].join(' ');
    const claims = { sub: userId, sid: sessionId, session_jti: tokenId, scope, site };
    return this.tokens.issue(environmentId, service, { claims, ttlSeconds: SECONDS[service] });
  }

  /** Null for another kind of token, an invalid one, and one whose session has ended. */
  async authenticate(
    environmentId: EnvironmentId,
    token: string,
  ): Promise<(Omit<LiveToken, 'amr' | 'issuedTo'> & { audience: UserService }) | null> {
    for (const audience of USER_SERVICES) {
      const claims = await this.tokens.read(environmentId, audience, token);
      if (!claims) continue;
      const { sub: userId, sid: sessionId, session_jti: tokenId, scope, site } = claims;
      if (!isUuid(userId) || !isUuid(sessionId) || !isUuid(tokenId) || typeof scope !== 'string') return null;
      if (!(await this.isOurs(environmentId, site))) return null;
      const tokenUse = await this.sessions.tokenUse(environmentId, { userId, sessionId, tokenId });
      const scopes = scope.split(' ').filter(Boolean);
      return tokenUse && { userId, sessionId, tokenId, scopes, tokenUse, audience };
    }
    return null;
  }

  /** An instance of the previous version names no site. */
  private async isOurs(environmentId: EnvironmentId, site: unknown): Promise<boolean> {
    return site === undefined || (typeof site === 'string' && this.authenticator.isOurs(environmentId, site));
  }
}
