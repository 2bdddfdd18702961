import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { SessionsRepository } from './sessions.repository.js';

/** Ends tokens before their time, for whoever has less than they say. Their sessions go on. */
@Injectable()
export class SessionCuts {
  constructor(private readonly sessions: SessionsRepository) {}

  /** From now on the tokens of the user are good for a refresh alone. @returns false when none was still good */
  async cut(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<boolean> {
    return (await this.sessions.cutTokens(environmentId, userId, tx)) > 0;
  }
}
