import { Injectable } from '@nestjs/common';
import type { ElevatedScope, EndUserPrincipal, EnvironmentId } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import { unauthorized } from '../../common/errors/index.js';
import type { Session } from '../sessions/session.entity.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { FRESH_SECONDS } from './elevated-token.js';
import { Elevations } from './elevations.js';

/** A proof of the last five minutes: the sign-in that the session began with, or one that an elevated token stands for. */
@Injectable()
export class RecentProof {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly elevations: Elevations,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError 401 when the session has ended, 403 `fresh_proof_required` */
  async assert(environmentId: EnvironmentId, caller: EndUserPrincipal, scope: ElevatedScope): Promise<Session> {
    const session = await this.sessions.findLive(environmentId, caller.sessionId);
    if (!session) throw unauthorized();
    if (this.clock.timestamp() - session.createdAt.getTime() > FRESH_SECONDS * 1000) {
      await this.elevations.assertFresh(environmentId, caller, scope, caller.elevatedToken ?? null);
    }
    return session;
  }
}
