import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { UnitOfWork, type EnvironmentId, type Transaction } from '../../database/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import type { Session } from './session.entity.js';
import { sessionRevoked } from './session.events.js';
import { SessionsRepository } from './sessions.repository.js';
import { UserSessionsRepository, type EndedSession, type ProvenIdentifier } from './user-sessions.repository.js';

/** A session as the API shows it: unknown values are absent. */
type ShownSession = Pick<EndedSession, 'id' | 'createdAt'> &
  Partial<Record<'ipAddress' | 'userAgent', string>> & {
    revokedAt?: Date;
  };

const shown = ({ id, createdAt, ipAddress, userAgent, revokedAt }: EndedSession): ShownSession => ({
  id,
  createdAt,
  ...(ipAddress !== null && { ipAddress }),
  ...(userAgent !== null && { userAgent }),
  ...(revokedAt !== null && { revokedAt }),
});

/** Lets administrators view and end a user's sessions. */
@Injectable()
export class UserSessionsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly sessions: UserSessionsRepository,
    private readonly single: SessionsRepository,
    private readonly changes: ChangeLog,
  ) {}

  /** @throws ApiError 404 */
  async get(environmentId: EnvironmentId, userId: string, sessionId: string): Promise<ShownSession> {
    const session = await this.sessions.find(environmentId, sessionId, userId);
    if (!session) throw notFound();
    return shown(session);
  }

  /** Ends a session. One that has already ended stays as it is, without another event. @throws ApiError 404 */
  async revoke(environmentId: EnvironmentId, sessionId: string, actor: Actor): Promise<ShownSession> {
    return this.work.run(async (tx) => {
      const ended = await this.single.revoke(environmentId, sessionId, tx);
      if (ended) await this.tell(environmentId, [ended], actor, tx);
      const session = ended ?? (await this.sessions.find(environmentId, sessionId, null, tx));
      if (!session) throw notFound();
      return shown(session);
    });
  }

  /** @throws ApiError 404 */
  async revokeAll(environmentId: EnvironmentId, userId: string, actor: Actor): Promise<void> {
    await this.work.run(async (tx) => {
      const ended = await this.sessions.revokeAll(environmentId, userId, tx);
      if (!ended) throw notFound();
      await this.tell(environmentId, ended, actor, tx);
    });
  }

  /** Ends all sessions of whoever has proven one of these identifiers. */
  async revokeOfHolders(
    environmentId: EnvironmentId,
    proven: readonly ProvenIdentifier[],
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    await this.tell(environmentId, await this.sessions.revokeOfHolders(environmentId, proven, tx), actor, tx);
  }

  private tell(
    environmentId: EnvironmentId,
    ended: readonly Pick<Session, keyof EndedSession>[],
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    const drafts = ended.map((session) => sessionRevoked(session, null));
    return this.changes.tell(environmentId, { type: 'session', actor, drafts }, tx);
  }
}
