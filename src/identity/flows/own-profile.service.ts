import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import { Outbox, UnitOfWork, type EnvironmentId, type Transaction } from '../../database/index.js';
import { normaliseEmail } from '../credentials/identifiers.js';
import { KnownCustomFields } from '../custom-fields/known-custom-fields.js';
import { EmailCodes, type StartedVerification } from '../methods/email-code/email-codes.service.js';
import type { FullUser } from '../users/full-user.js';
import type { StoredProfile } from '../users/profile-columns.js';
import { assertMetadataSize } from '../users/metadata-size.js';
import { invalidEmail } from '../users/user.errors.js';
import { USER_UPDATED, userEvent } from '../users/user.events.js';
import { UserReader } from '../users/user-reader.js';
import type { UserFields } from '../users/user-request.dto.js';
import { UsersRepository } from '../users/users.repository.js';
import { Captcha } from './captcha.js';
import { usernameAlreadyExists } from './flow.errors.js';
import { SessionAnswer, type ProfileAnswer } from './session-answer.js';
import { UsernamesRepository } from './usernames.repository.js';

/** What users see and change about themselves. */
@Injectable()
export class OwnProfile {
  constructor(
    private readonly reader: UserReader,
    private readonly users: UsersRepository,
    private readonly usernames: UsernamesRepository,
    private readonly customFields: KnownCustomFields,
    private readonly codes: EmailCodes,
    private readonly answer: SessionAnswer,
    private readonly captcha: Captcha,
    private readonly outbox: Outbox,
    private readonly work: UnitOfWork,
  ) {}

  async get(environmentId: EnvironmentId, { userId, sessionId, scopes }: EndUserPrincipal): Promise<FullUser> {
    return { ...(await this.reader.getFull(environmentId, userId)), sessionId, scope: scopes.join(' ') };
  }

  /**
   * Changes the profile. Another email is not stored before its owner has proven it: a code goes to it, and the answer
   * says so. An empty email asks for nothing. The code is sent first, so that a refusal leaves the profile as it was.
   */
  async update(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { email, captchaToken: _captchaToken, ...profile }: UserFields,
    client: ClientOrigin,
  ): Promise<ProfileAnswer> {
    await this.captcha.assertPassed(environmentId);
    assertMetadataSize(profile.metadata);
    await this.customFields.assertValues(environmentId, profile.metadata);
    const change = email ? await this.changeEmail(environmentId, caller, email) : {};
    const user = await this.store(environmentId, caller.userId, { ...profile, ...change.stored });
    const signedIn = await this.answer.renew(environmentId, caller, user, client);
    const { emailVerification } = change;
    return emailVerification
      ? { ...signedIn, nextView: 'verify-email', emailVerification }
      : { ...signedIn, nextView: 'done' };
  }

  /** Stores fields of a user whose right to them is settled, and tells the world. */
  async store(environmentId: EnvironmentId, userId: string, changes: StoredProfile): Promise<FullUser> {
    return this.work.run(async (tx) => {
      if (Object.values(changes).every((value) => value === undefined)) {
        return this.reader.getFull(environmentId, userId, tx);
      }
      await this.claimUsername(environmentId, userId, changes.username, tx);
      await this.users.updateProfile(environmentId, userId, changes, tx);
      const user = await this.reader.getFull(environmentId, userId, tx);
      await this.outbox.append(environmentId, [userEvent(USER_UPDATED, user, userId)], tx);
      return user;
    });
  }

  private async claimUsername(
    environmentId: EnvironmentId,
    userId: string,
    username: string | null | undefined,
    tx: Transaction,
  ): Promise<void> {
    if (username === undefined) return;
    if (!username) return this.usernames.release(environmentId, userId, tx);
    if (!(await this.usernames.claim(environmentId, userId, username, tx))) throw usernameAlreadyExists();
  }

  /** An address the user has proven before can be the main one at once; any other begins a verification. */
  private async changeEmail(
    environmentId: EnvironmentId,
    { userId }: EndUserPrincipal,
    email: string,
  ): Promise<{ stored?: StoredProfile; emailVerification?: StartedVerification }> {
    const wanted = normaliseEmail(email)?.normal;
    if (!wanted) throw invalidEmail();
    const user = await this.reader.getFull(environmentId, userId);
    const isSame = (known: string | null | undefined): boolean => normaliseEmail(known ?? '')?.normal === wanted;
    if (isSame(user.email)) return {};
    if (user.verifiedCredentials.some((known) => known.format === 'email' && known.verifiedAt && isSame(known.email))) {
      return { stored: { email } };
    }
    return { emailVerification: await this.codes.start(environmentId, email) };
  }
}
