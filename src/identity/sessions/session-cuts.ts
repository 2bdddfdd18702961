import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { SessionsRepository } from './sessions.repository.js';

/** Ends tokens early for users who have lost permissions stated in them. Their sessions continue. */
@Injectable()
export class SessionCuts {
  constructor(private readonly sessions: SessionsRepository) {}

  /** From now on the user's tokens are valid for a refresh only. @returns false if none was still valid */
  async cut(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<boolean> {
    return (await this.sessions.cutTokens(environmentId, userId, tx)) > 0;
  }
}
