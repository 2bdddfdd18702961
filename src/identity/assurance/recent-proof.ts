import { Injectable } from '@nestjs/common';
import {
  freshProofRequired,
  RecentProofs,
  type ElevatedScope,
  type EndUserPrincipal,
  type EnvironmentId,
  type ProvenCaller,
} from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import { unauthorized } from '../../common/errors/index.js';
import { provenAt } from '../sessions/proven-at.js';
import type { Session } from '../sessions/session.entity.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { isFresh } from './elevated-token.js';
import { Elevations } from './elevations.js';

const NO_SESSION = 'Sign in to the console: a personal token cannot do this.';

/** A proof from the last five minutes: the one that began the session, or one represented by an elevated token. */
@Injectable()
export class RecentProof extends RecentProofs {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly elevations: Elevations,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** @throws ApiError 401 if the session has ended, 403 `fresh_proof_required` */
  async assert(environmentId: EnvironmentId, caller: EndUserPrincipal, scope: ElevatedScope): Promise<Session> {
    return this.check(environmentId, caller, scope, caller.elevatedToken ?? null);
  }

  override async assertRecent(
    environmentId: EnvironmentId,
    caller: ProvenCaller,
    scope: ElevatedScope,
    token: string | null,
  ): Promise<void> {
    const { userId, sessionId } = caller;
    if (!sessionId) throw freshProofRequired({ hint: NO_SESSION });
    await this.check(environmentId, { userId, sessionId }, scope, token);
  }

  private async check(
    environmentId: EnvironmentId,
    caller: { userId: string; sessionId: string },
    scope: ElevatedScope,
    token: string | null,
  ): Promise<Session> {
    const session = await this.sessions.findLive(environmentId, caller.sessionId);
    if (!session) throw unauthorized();
    if (!isFresh(provenAt(session), this.clock.timestamp())) {
      await this.elevations.assertFresh(environmentId, caller, scope, token);
    }
    return session;
  }
}
