import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import {
  bearerOf,
  BearerTokenStrategy,
  ELEVATED_TOKEN_HEADER,
  STRATEGIES,
  userAgentOf,
  type AuthorizedRequest,
  type EndUserPrincipal,
  type TokenUse,
} from '../../auth/index.js';
import { CookieGuard } from './cookie-guard.js';
import { SessionAuthenticator } from './session-authenticator.js';
import { ServiceSessions } from './service-sessions.js';
import { readSessionCookie } from './session-cookie.js';
import { SessionsRepository } from './sessions.repository.js';

/** End users of the environment in the path, by bearer token or, if the environment enables it, by cookie. */
@Injectable()
export class EndUserStrategy extends PassportStrategy(BearerTokenStrategy, STRATEGIES.endUser) {
  constructor(
    private readonly sessions: SessionAuthenticator,
    private readonly cookies: CookieGuard,
    private readonly services: ServiceSessions,
    private readonly rows: SessionsRepository,
  ) {
    super();
  }

  async validate(request: AuthorizedRequest, token: string): Promise<EndUserPrincipal | null> {
    const { environmentId } = request;
    if (!environmentId) return null;
    const isBearer = bearerOf(request) !== null;
    if (!isBearer && !(await this.cookies.admits(environmentId, request))) return null;
    const verified =
      (await this.sessions.authenticate(environmentId, token)) ??
      (isBearer ? await this.services.authenticate(environmentId, token) : null);
    if (!verified) return null;
    const elevatedToken = request.headers[ELEVATED_TOKEN_HEADER];
    const presented = typeof elevatedToken === 'string' ? { elevatedToken } : {};
    const tokenUse = await this.tokenUseOf(request, verified);
    return { kind: 'endUser', environmentId, ...verified, tokenUse, ...presented };
  }

  /**
   * For ten seconds after its exchange a token stays valid for the client that exchanged it; for any other it is
   * replaced. Checked first, so that a refused operation has done nothing.
   */
  private async tokenUseOf(
    { environmentId, headers }: Pick<AuthorizedRequest, 'environmentId' | 'headers'>,
    { sessionId: id, tokenId, tokenUse }: Pick<EndUserPrincipal, 'sessionId' | 'tokenId' | 'tokenUse'>,
  ): Promise<TokenUse> {
    if (tokenUse !== 'just-replaced' || !environmentId) return tokenUse;
    const presented = { id, tokenId, userAgent: userAgentOf({ headers }) };
    return (await this.rows.findRenewable(environmentId, presented)) ? tokenUse : 'replaced';
  }

  /** If both are present, the header decides: only the application can have set it. */
  protected override tokenOf(request: Request): string | null {
    if (request.headers.authorization !== undefined) return bearerOf(request);
    const { environmentId } = request as AuthorizedRequest;
    return environmentId ? readSessionCookie(request.headers.cookie, environmentId) : null;
  }
}
