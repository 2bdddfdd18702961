import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../../auth/index.js';
import { unauthorized } from '../../../common/errors/index.js';
import { Database, type EnvironmentId } from '../../../database/index.js';
import { tokenReused } from '../../sessions/session.errors.js';
import { SessionEndings } from '../../sessions/session-endings.js';
import { SessionsRepository } from '../../sessions/sessions.repository.js';
import type { SignedIn } from '../../sessions/signed-in.js';
import type { FullUser } from '../../users/full-user.js';
import { UserReader } from '../../users/user-reader.js';
import { Admissions } from '../admission/admissions.js';
import { SessionAnswer } from './session-answer.js';
import { withPreparation } from '../admission/sign-in-checks.js';

/** Exchanges a valid token for a fresh one of the same session. */
@Injectable()
export class RefreshFlow {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly endings: SessionEndings,
    private readonly users: UserReader,
    private readonly admissions: Admissions,
    private readonly answer: SessionAnswer,
    private readonly database: Database,
  ) {}

  /**
   * Of concurrent calls with one token, one exchanges it; the same client gets the same answer for ten seconds. If the
   * token was cut meanwhile, the decision is made once more.
   */
  async refresh(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    const { userId, sessionId, tokenId, tokenUse } = caller;
    const terms = await this.answer.terms(environmentId);
    const user = await this.users.getFull(environmentId, userId);
    const occasion = 'refresh';
    const admission = { environmentId, user, created: false, amr: [], occasion, client } as const;
    const grants = await withPreparation((prepared) =>
      this.admissions.admit({ ...admission, prepared }, this.database),
    );
    const { tokenTtlSeconds } = terms;
    const wasCut = tokenUse === 'cut' || tokenUse === 'spent';
    const presented = { id: sessionId, tokenId, userAgent: client.userAgent, wasCut };
    const next = { tokenId: randomUUID(), tokenTtlSeconds };
    const session =
      (await this.sessions.rotate(environmentId, presented, next)) ??
      (await this.sessions.findSuccessor(environmentId, presented));
    if (!session) {
      const [use] = wasCut ? [] : await this.sessions.tokenUses(environmentId, [caller]);
      if (use === 'cut') return this.refresh(environmentId, { ...caller, tokenUse: use }, client);
      return this.endReused(environmentId, sessionId);
    }
    return this.answer.issue(environmentId, { session, user, grants, occasion }, terms);
  }

  private async endReused(environmentId: EnvironmentId, sessionId: string): Promise<never> {
    throw (await this.endings.end(environmentId, sessionId, null)) ? tokenReused() : unauthorized();
  }
}
