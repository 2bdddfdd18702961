import { Injectable } from '@nestjs/common';
import { unauthorized } from '../../common/errors/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import type { Session } from '../sessions/session.entity.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import type { SecondFactor } from '../vocabulary/factors.js';
import { isAnother, raised } from './factors.js';
import { mfaInvalidRequest } from './mfa.errors.js';
import { MfaDevicesRepository } from './mfa-devices.repository.js';
import type { TokenHolder } from './mfa-tokens.repository.js';

const SAME_FACTOR =
  'The session was opened by a factor of the same kind: use another second factor or a recovery code.';

/** The session that receives a second factor. */
@Injectable()
export class MfaSession {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly devices: MfaDevicesRepository,
  ) {}

  /** @throws ApiError 401 if it has ended */
  async get(environmentId: EnvironmentId, { sessionId }: TokenHolder): Promise<Session> {
    const session = await this.sessions.findLive(environmentId, sessionId);
    if (!session) throw unauthorized();
    return session;
  }

  /** The session, for a factor that adds to those it has. @throws ApiError 422 `mfa_invalid_request` */
  async assertAnother(environmentId: EnvironmentId, holder: TokenHolder, factor: SecondFactor): Promise<Session> {
    const session = await this.get(environmentId, holder);
    if (!isAnother(session.amr, factor)) throw mfaInvalidRequest({ hint: SAME_FACTOR });
    return session;
  }

  /**
   * Records that a second factor was given; the session's next tokens say so. The user is locked before the session, in
   * the order of an erasure, to prevent a deadlock.
   * @returns the previous `amr`
   * @throws ApiError 401 if it has ended
   */
  async raise(
    environmentId: EnvironmentId,
    { userId, sessionId: id }: TokenHolder,
    factor: SecondFactor,
    tx: Transaction,
  ): Promise<readonly string[]> {
    const isThere = await this.devices.lockUser(environmentId, userId, tx);
    const session = isThere ? await this.sessions.lock(environmentId, { id }, tx) : null;
    const isRaised =
      session !== null && (await this.sessions.raise(environmentId, id, raised(session.amr, factor), tx));
    if (!isRaised) throw unauthorized();
    return session.amr;
  }
}
