import { Injectable } from '@nestjs/common';
import { unauthorized } from '../../common/errors/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import type { Session } from '../sessions/session.entity.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { raised, type SecondFactor } from './factors.js';
import type { TokenHolder } from './mfa-tokens.repository.js';

/** The session in which a second factor is given. */
@Injectable()
export class MfaSession {
  constructor(private readonly sessions: SessionsRepository) {}

  /** @throws ApiError 401 when it ended meanwhile */
  async get(environmentId: EnvironmentId, { sessionId }: TokenHolder): Promise<Session> {
    const session = await this.sessions.findLive(environmentId, sessionId);
    if (!session) throw unauthorized();
    return session;
  }

  /** Writes down that a second factor was given; its next tokens say so. @returns `amr` until now */
  async raise(
    environmentId: EnvironmentId,
    { sessionId: id }: TokenHolder,
    factor: SecondFactor,
    tx: Transaction,
  ): Promise<readonly string[]> {
    const session = await this.sessions.lock(environmentId, { id }, tx);
    if (!session || session.revokedAt) throw unauthorized();
    await this.sessions.update(environmentId, { id }, { amr: raised(session.amr, factor) }, tx);
    return session.amr;
  }
}
