import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import { Outbox, UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { clearedCookie } from '../sessions/session-cookie.js';
import { sessionRevoked } from '../sessions/session.events.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { SessionTermsReader } from './session-terms.js';

/** Ends the session of the caller. */
@Injectable()
export class SignOutFlow {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly terms: SessionTermsReader,
    private readonly work: UnitOfWork,
    private readonly outbox: Outbox,
  ) {}

  async signOut(
    environmentId: EnvironmentId,
    { sessionId, userId }: EndUserPrincipal,
  ): Promise<{ setCookie?: string }> {
    const { asCookie } = await this.terms.read(environmentId);
    await this.work.run(async (tx) => {
      const session = await this.sessions.revoke(environmentId, sessionId, tx);
      if (session) await this.outbox.append(environmentId, [sessionRevoked(session, userId)], tx);
    });
    return asCookie ? { setCookie: clearedCookie(environmentId) } : {};
  }
}
