import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import { unauthorized } from '../../common/errors/index.js';
import { Database, Outbox, UnitOfWork, type EnvironmentId } from '../../database/index.js';
import type { Session } from '../sessions/session.entity.js';
import { tokenReused } from '../sessions/session.errors.js';
import { sessionRevoked } from '../sessions/session.events.js';
import { SessionTokens } from '../sessions/session-tokens.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import type { SignedIn } from '../sessions/signed-in.js';
import type { FullUser } from '../users/full-user.js';
import { UserReader } from '../users/user-reader.js';
import { SessionTermsReader } from './session-terms.js';
import { SignInChecks } from './sign-in-checks.js';

/** J5: two tabs that refresh at once are one client; somebody who comes later with the old token is another. */
const GRACE_SECONDS = 10;

/** Exchanges a token that still holds for a fresh one of the same session. */
@Injectable()
export class RefreshFlow {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly users: UserReader,
    private readonly checks: SignInChecks,
    private readonly tokens: SessionTokens,
    private readonly terms: SessionTermsReader,
    private readonly work: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly database: Database,
  ) {}

  /** Of any number of calls with one token, one exchanges it, and all within ten seconds get the same answer. */
  async refresh(
    environmentId: EnvironmentId,
    { userId, sessionId, tokenId }: EndUserPrincipal,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    const { tokenTtlSeconds, asCookie } = await this.terms.read(environmentId);
    const user = await this.users.getFull(environmentId, userId);
    const admission = { environmentId, user, created: false, amr: [], occasion: 'refresh' as const, client };
    const grants = await this.checks.prepared((prepared) => this.checks.run({ ...admission, prepared }, this.database));
    const exchange = { id: sessionId, tokenId, nextTokenId: randomUUID(), tokenTtlSeconds };
    const session =
      (await this.sessions.rotate(environmentId, exchange)) ??
      (await this.sessions.findSuccessor(environmentId, sessionId, tokenId, GRACE_SECONDS)) ??
      (await this.endReused(environmentId, sessionId));
    return this.tokens.issue(environmentId, { session, user, grants, asCookie });
  }

  private async endReused(environmentId: EnvironmentId, sessionId: string): Promise<never> {
    const ended = await this.work.run(async (tx): Promise<Session | null> => {
      const session = await this.sessions.revoke(environmentId, sessionId, tx);
      if (session) await this.outbox.append(environmentId, [sessionRevoked(session, null)], tx);
      return session;
    });
    throw ended ? tokenReused() : unauthorized();
  }
}
