import { Injectable } from '@nestjs/common';
import { BACKUP_SCOPE, type EndUserPrincipal, type ServiceAudience } from '../../auth/index.js';
import { isUuid } from '../../common/ids.js';
import type { EnvironmentId } from '../../database/index.js';
import { LiveSessions } from './live-sessions.js';
import { PurposeTokens } from './purpose-tokens.js';
import type { LiveToken } from './session-authenticator.js';

/** What users have tokens for beside those of their session. */
export const USER_SERVICES = ['wallets', 'mpc', 'backup'] as const satisfies readonly ServiceAudience[];
export type UserService = (typeof USER_SERVICES)[number];

const SECONDS: Readonly<Record<UserService, number>> = { wallets: 300, mpc: 300, backup: 60 };

/**
 * Short tokens that open one service to the user of a session, and end with it. Each is tied to the token of the session
 * that it was asked for with, so that it is worth no more than that one: what is outstanding, replaced or cut there counts.
 */
@Injectable()
export class ServiceSessions {
  constructor(
    private readonly tokens: PurposeTokens,
    private readonly sessions: LiveSessions,
  ) {}

  issue(environmentId: EnvironmentId, service: UserService, caller: EndUserPrincipal): Promise<string> {
    const { userId, sessionId, tokenId, scopes } = caller;
    const scope = [...scopes, ...(service === 'backup' ? [BACKUP_SCOPE] : [])].join(' ');
    const claims = { sub: userId, sid: sessionId, session_jti: tokenId, scope };
    return this.tokens.issue(environmentId, service, { claims, ttlSeconds: SECONDS[service] });
  }

  /** Null for a token of another kind, one that does not hold, and one of a session that has ended. */
  async authenticate(
    environmentId: EnvironmentId,
    token: string,
  ): Promise<(Omit<LiveToken, 'amr'> & { audience: UserService }) | null> {
    for (const audience of USER_SERVICES) {
      const claims = await this.tokens.read(environmentId, audience, token);
      if (!claims) continue;
      const { sub: userId, sid: sessionId, session_jti: tokenId, scope } = claims;
      if (!isUuid(userId) || !isUuid(sessionId) || !isUuid(tokenId) || typeof scope !== 'string') return null;
      const tokenUse = await this.sessions.tokenUse(environmentId, { userId, sessionId, tokenId });
      const scopes = scope.split(' ').filter(Boolean);
      return tokenUse && { userId, sessionId, tokenId, scopes, tokenUse, audience };
    }
    return null;
  }
}
