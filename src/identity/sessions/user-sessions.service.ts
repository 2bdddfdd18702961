import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { Outbox, UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { sessionRevoked } from './session.events.js';
import { UserSessionsRepository } from './user-sessions.repository.js';

/** Ends the sessions of a user from outside. */
@Injectable()
export class UserSessionsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly sessions: UserSessionsRepository,
    private readonly outbox: Outbox,
  ) {}

  /** @throws ApiError 404 */
  async revokeAll(environmentId: EnvironmentId, userId: string): Promise<void> {
    await this.work.run(async (tx) => {
      const ended = await this.sessions.revokeAll(environmentId, userId, tx);
      if (!ended) throw notFound();
      await this.outbox.append(
        environmentId,
        ended.map((session) => sessionRevoked(session, null)),
        tx,
      );
    });
  }
}
