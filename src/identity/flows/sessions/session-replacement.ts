import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../../auth/index.js';
import { unauthorized } from '../../../common/errors/index.js';
import type { EnvironmentId, Transaction } from '../../../database/index.js';
import { SessionIssuer } from '../../sessions/session-issuer.js';
import type { Session } from '../../sessions/session.entity.js';
import { SessionsRepository } from '../../sessions/sessions.repository.js';
import type { SignedIn } from '../../sessions/signed-in.js';
import type { FullUser } from '../../users/full-user.js';
import { SessionAnswer } from './session-answer.js';

/** Ends all sessions of both users, and opens a new one for the remaining user. */
export type ReplaceSessions = (otherUserId: string, tx: Transaction) => Promise<void>;

/** Signs two users out everywhere after something moved between them, and signs one of them in again. */
@Injectable()
export class SessionReplacement {
  constructor(
    private readonly issuer: SessionIssuer,
    private readonly sessions: SessionsRepository,
    private readonly answer: SessionAnswer,
  ) {}

  /**
   * The new session keeps the age and expiry of the previous one: nobody has proven anything again.
   * @param change the transaction, which calls `replace` once and returns the user
   * @throws ApiError 401 if the previous session has ended meanwhile: whoever ended it ended what would continue it
   */
  async replacing(
    environmentId: EnvironmentId,
    before: Session,
    client: ClientOrigin,
    change: (replace: ReplaceSessions) => Promise<{ user: FullUser }>,
  ): Promise<SignedIn<FullUser>> {
    const terms = await this.answer.terms(environmentId);
    const { userId, credentialId, amr, authenticatedAt, sessionPublicKey, createdAt, raisedAt, expiresAt } = before;
    let session = before;
    const { user } = await change(async (otherUserId, tx) => {
      await this.issuer.endAll(environmentId, otherUserId, tx);
      const ended = await this.issuer.endAll(environmentId, userId, tx);
      if (!ended.some(({ id }) => id === before.id)) throw unauthorized();
      const facts = { userId, credentialId, amr, authenticatedAt, sessionPublicKey, client };
      const { id, tokenExpiresAt: until } = await this.issuer.establish(environmentId, facts, terms, tx);
      const tokenExpiresAt = until < expiresAt ? until : expiresAt;
      const ends = { createdAt, raisedAt, expiresAt, tokenExpiresAt };
      [session = before] = await this.sessions.update(environmentId, { id }, ends, tx);
    });
    return this.answer.anew(environmentId, session, user, client);
  }
}
