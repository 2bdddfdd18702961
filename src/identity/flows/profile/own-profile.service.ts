import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { KnownCustomFields } from '../../custom-fields/known-custom-fields.js';
import type { FullUser } from '../../users/full-user.js';
import { assertMetadataSize } from '../../users/metadata-size.js';
import { UserReader } from '../../users/user-reader.js';
import type { UserFields } from '../../users/user-request.dto.js';
import { SignInChecks } from '../admission/sign-in-checks.js';
import { Captcha } from '../captcha/captcha.js';
import { ContactChanges } from './contact-changes.js';
import type { ProfileAnswer } from './contact-check.js';
import { ProfileStore } from '../proofs/profile-store.js';
import { SessionAnswer } from '../sessions/session-answer.js';

/** Users' access to their own profile. */
@Injectable()
export class OwnProfile {
  constructor(
    private readonly reader: UserReader,
    private readonly profiles: ProfileStore,
    private readonly customFields: KnownCustomFields,
    private readonly contacts: ContactChanges,
    private readonly answer: SessionAnswer,
    private readonly captcha: Captcha,
    private readonly checks: SignInChecks,
  ) {}

  async get(environmentId: EnvironmentId, { userId, sessionId, scopes }: EndUserPrincipal): Promise<FullUser> {
    const user = await this.reader.getFull(environmentId, userId);
    const lists = await this.checks.listsOf(environmentId, user);
    const { missingFields = [] } = user;
    return { ...user, missingFields, sessionId, scope: scopes.join(' '), lists };
  }

  /**
   * Changes the profile. A new email or phone number is not stored before its owner has proven it: it is sent a code,
   * and the response says so. An empty one is ignored. The code is sent first, so that a refusal leaves the profile
   * unchanged.
   */
  async update(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { email, phoneNumber, captchaToken, ...profile }: UserFields,
    client: ClientOrigin,
  ): Promise<ProfileAnswer> {
    await this.captcha.assertPassed(environmentId, captchaToken, client);
    assertMetadataSize(profile.metadata);
    await this.customFields.assertValues(environmentId, profile.metadata);
    const wanted = { ...(email && { email }), ...(phoneNumber && { phoneNumber }) };
    const change = await this.contacts.begin(environmentId, caller, wanted, client);
    const user = await this.profiles.store(environmentId, caller.userId, { ...profile, ...change.stored }, client);
    await this.contacts.tell(environmentId, change, client);
    const signedIn = await this.answer.renew(environmentId, caller, user, client);
    return { ...signedIn, ...(change.started ?? { nextView: 'done' }) };
  }
}
