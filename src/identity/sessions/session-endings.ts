import { Injectable } from '@nestjs/common';
import { Outbox, UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { sessionRevoked } from './session.events.js';
import { SessionsRepository } from './sessions.repository.js';

/** Ends single sessions and emits their events. */
@Injectable()
export class SessionEndings {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly outbox: Outbox,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * @param causedBy the user who ends their own session; null if the service does
   * @returns false if it had already ended
   */
  end(environmentId: EnvironmentId, sessionId: string, causedBy: string | null): Promise<boolean> {
    return this.work.run(async (tx) => {
      const session = await this.sessions.revoke(environmentId, sessionId, tx);
      if (session) await this.outbox.append(environmentId, [sessionRevoked(session, causedBy)], tx);
      return session !== null;
    });
  }
}
