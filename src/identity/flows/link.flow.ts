import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import { Outbox, UnitOfWork, type EnvironmentId, type Transaction } from '../../database/index.js';
import { CredentialsRepository } from '../credentials/credentials.repository.js';
import { identifierKeyOf } from '../credentials/identifier-key.js';
import { UserReader } from '../users/user-reader.js';
import { USER_UPDATED, userEvent } from '../users/user.events.js';
import { UsersRepository } from '../users/users.repository.js';
import { EmailLinksRepository } from './email-links.repository.js';
import { emailAlreadyExists } from './flow.errors.js';
import { SessionAnswer, type ProfileAnswer } from './session-answer.js';

/** An address that was proven, and the step that makes the proof unusable. */
interface EmailProof {
  email: string;
  redeem: (tx: Transaction) => Promise<void>;
}

/** From a proof to a credential of the user who is signed in. */
@Injectable()
export class LinkFlow {
  constructor(
    private readonly links: EmailLinksRepository,
    private readonly credentials: CredentialsRepository,
    private readonly users: UsersRepository,
    private readonly reader: UserReader,
    private readonly answer: SessionAnswer,
    private readonly outbox: Outbox,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Ties a proven address to the user and makes it the main one.
   * @throws ApiError 422 `email_already_exists` when another user has proven it
   */
  async linkEmail(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { email, redeem }: EmailProof,
    client: ClientOrigin,
  ): Promise<ProfileAnswer> {
    const { userId } = caller;
    const user = await this.work.run(async (tx) => {
      await redeem(tx);
      if (!(await this.links.take(environmentId, email, userId, tx))) throw emailAlreadyExists({ payload: { email } });
      await this.addCredential(environmentId, userId, email, tx);
      await this.users.updateProfile(environmentId, userId, { email }, tx);
      const updated = await this.reader.getFull(environmentId, userId, tx);
      await this.outbox.append(environmentId, [userEvent(USER_UPDATED, updated, userId)], tx);
      return updated;
    });
    return { ...(await this.answer.renew(environmentId, caller, user, client)), nextView: 'done' };
  }

  private async addCredential(
    environmentId: EnvironmentId,
    userId: string,
    email: string,
    tx: Transaction,
  ): Promise<void> {
    const key = identifierKeyOf({ kind: 'email', value: email });
    if (await this.credentials.verify(environmentId, userId, key.credential, key.spellings, tx)) return;
    const credential = { ...key.credential, verifiedAt: this.clock.now() };
    this.credentials.insertFor(environmentId, userId, [credential], tx);
  }
}
