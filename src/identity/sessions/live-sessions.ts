import { Injectable } from '@nestjs/common';
import type { TokenUse } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { SessionsRepository, type SessionOfUser } from './sessions.repository.js';

/** Statements that run at once for one environment: a second one, so that a slow answer does not hold up everybody. */
const MAX_RUNNING = 2;
const MAX_BATCH = 100;

interface Question extends SessionOfUser {
  answer(use: TokenUse | null): void;
  fail(error: unknown): void;
}

/**
 * Whether sessions are live and how their tokens stand, asked of the database for every call. Calls that arrive while others are being asked about
 * share the next statement, so that a busy environment costs a statement for many calls and an idle one waits for
 * nobody. A question is only answered by a statement that began after it was put.
 */
@Injectable()
export class LiveSessions {
  private readonly waiting = new Map<EnvironmentId, Question[]>();
  private readonly running = new Map<EnvironmentId, number>();

  constructor(private readonly sessions: SessionsRepository) {}

  /** Null for a session that is not live. */
  tokenUse(environmentId: EnvironmentId, session: SessionOfUser): Promise<TokenUse | null> {
    return new Promise((answer, fail) => {
      const questions = this.waiting.get(environmentId) ?? [];
      questions.push({ ...session, answer, fail });
      this.waiting.set(environmentId, questions);
      this.askNext(environmentId);
    });
  }

  private askNext(environmentId: EnvironmentId): void {
    const running = this.running.get(environmentId) ?? 0;
    const questions = this.waiting.get(environmentId);
    if (!questions || running >= MAX_RUNNING) return;
    const batch = questions.splice(0, MAX_BATCH);
    if (questions.length === 0) this.waiting.delete(environmentId);
    this.running.set(environmentId, running + 1);
    void this.ask(environmentId, batch).finally(() => {
      const left = (this.running.get(environmentId) ?? 1) - 1;
      if (left === 0) this.running.delete(environmentId);
      else this.running.set(environmentId, left);
      this.askNext(environmentId);
    });
  }

  private async ask(environmentId: EnvironmentId, batch: readonly Question[]): Promise<void> {
    try {
      const uses = await this.sessions.tokenUses(environmentId, batch);
      for (const [at, question] of batch.entries()) question.answer(uses[at] ?? null);
    } catch (error) {
      for (const question of batch) question.fail(error);
    }
  }
}
