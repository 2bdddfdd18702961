import { Injectable } from '@nestjs/common';
import { unauthorized } from '../../common/errors/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import type { Session } from '../sessions/session.entity.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { isAnother, raised, type SecondFactor } from './factors.js';
import { mfaInvalidRequest } from './mfa.errors.js';
import type { TokenHolder } from './mfa-tokens.repository.js';

const SAME_FACTOR =
  'The session was opened by a factor of the same kind: use another second factor or a recovery code.';

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

  /** The session, for a factor that it does not rest on already. @throws ApiError 422 `mfa_invalid_request` */
  async assertAnother(environmentId: EnvironmentId, holder: TokenHolder, factor: SecondFactor): Promise<Session> {
    const session = await this.get(environmentId, holder);
    if (!isAnother(session.amr, factor)) throw mfaInvalidRequest({ hint: SAME_FACTOR });
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
