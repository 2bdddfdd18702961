import { Injectable } from '@nestjs/common';
import type { TokenUse } from '../../auth/index.js';
import { SharedQuestions, type EnvironmentId } from '../../database/index.js';
import { SessionsRepository, type SessionOfUser } from './sessions.repository.js';

/**
 * Whether sessions are live and how their tokens stand, queried from the database for every call. Calls that arrive
 * during a query share the next one.
 */
@Injectable()
export class LiveSessions {
  private readonly questions: SharedQuestions<SessionOfUser, TokenUse | null>;

  constructor(sessions: SessionsRepository) {
    this.questions = new SharedQuestions(async (environmentId, batch) => {
      const uses = await sessions.tokenUses(environmentId, batch);
      return batch.map((_, at) => uses[at] ?? null);
    });
  }

  /** Null for a session that is not live. */
  tokenUse(environmentId: EnvironmentId, session: SessionOfUser): Promise<TokenUse | null> {
    return this.questions.put(environmentId, session);
  }
}
