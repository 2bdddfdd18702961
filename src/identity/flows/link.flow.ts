import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import type { StoredProfile } from '../users/profile-columns.js';
import { UserIdentities } from '../users/user-identities.js';
import { UsersService } from '../users/users.service.js';
import { admittedIdentifiers, type AdmittedIdentifier } from './admitted-identifiers.js';
import { credentialAlreadyLinked, emailAlreadyExists } from './flow.errors.js';
import { credentialOf } from './proof-owners.js';
import type { ProfileAnswer } from './contact-check.js';
import { SessionAnswer } from './session-answer.js';
import { SignInDoor } from './sign-in-door.js';
import type { SignInMethod } from './sign-in-method.js';

export interface LinkOptions {
  client: ClientOrigin;
  captchaToken?: string | undefined;
}

/** From a proof to a credential of the user who is signed in. */
@Injectable()
export class LinkFlow {
  constructor(
    private readonly door: SignInDoor,
    private readonly identities: UserIdentities,
    private readonly users: UsersService,
    private readonly answer: SessionAnswer,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Ties what was proven to the user; a proven address or number becomes the main one.
   * @throws ApiError 422 `email_already_exists` or `credential_already_linked` when another user has proven it
   */
  async complete<Linking>(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    method: SignInMethod<never, Linking>,
    answer: Linking,
    options: LinkOptions,
  ): Promise<ProfileAnswer> {
    const { userId } = caller;
    await this.door.pass(environmentId, method, options);
    const proof = await method.link(environmentId, answer, caller, options.client);
    const shown = admittedIdentifiers(proof.identifiers);
    const user = await this.work.run(async (tx) => {
      await proof.redeem(tx);
      for (const { key, credential } of shown) {
        if (!(await this.identities.attach(environmentId, userId, key, credential, tx))) throw takenBy(key);
      }
      const profile = shown.reduce<StoredProfile>((all, { key }) => ({ ...all, ...key.profile }), {});
      const updated = await this.users.change(environmentId, userId, profile, userId, tx);
      const credentialId = credentialOf(updated, shown[0]);
      await proof.kept?.store.keep(environmentId, { userId, credentialId }, proof.kept.tokens, tx);
      return updated;
    });
    return { ...(await this.answer.renew(environmentId, caller, user, options.client)), nextView: 'done' };
  }
}

const takenBy = ({ kind, identifier }: AdmittedIdentifier['key']): Error =>
  kind === 'email' ? emailAlreadyExists({ payload: { email: identifier } }) : credentialAlreadyLinked();
