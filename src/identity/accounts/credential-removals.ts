import { Injectable } from '@nestjs/common';
import { Outbox, type EnvironmentId, type Transaction } from '../../database/index.js';
import { SignInMethods } from '../flows/proofs/sign-in-method.js';
import type { Credential } from '../credentials/credential.entity.js';
import { CredentialsRepository } from '../credentials/credentials.repository.js';
import type { IdentifierKey } from '../credentials/identifier-key.js';
import { normaliseEmail, normalisePhone } from '../credentials/identifiers.js';
import { forbiddenUnlinkRequest, invalidUnlinkRequest, lastSignInCredential } from '../linking/linking.errors.js';
import type { FullUser } from '../users/full-user.js';
import { SOCIAL_UNLINKED, socialEvents } from '../users/social-account.events.js';
import type { StoredProfile } from '../users/profile-columns.js';
import { UserFacets } from '../users/user-facets.js';
import { UsersService } from '../users/users.service.js';
import { keyOfCredential } from '../credentials/credential-identifier.js';
import { CredentialRemovalsRepository } from './credential-removals.repository.js';

/** More than any user has, even after merges. */
export const MOST_CREDENTIALS = 1_000;

/** Names one credential of a user; a wallet by its own id or that of its credential, which alone users are shown. */
export type UnlinkTarget = { id: string } | { walletId: string };

/** Removes a user's credential, with its claim and what other contexts keep with it. */
@Injectable()
export class CredentialRemovals {
  constructor(
    private readonly credentials: CredentialsRepository,
    private readonly removals: CredentialRemovalsRepository,
    private readonly methods: SignInMethods,
    private readonly facets: UserFacets,
    private readonly users: UsersService,
    private readonly outbox: Outbox,
  ) {}

  /**
   * The caller must have locked the user, so that of two credentials removed concurrently one stays.
   * @throws ApiError 422 `invalid_unlink_request`, `forbidden_unlink_request`,
   *   `cannot_delete_last_sign_in_verified_credential`
   */
  async remove(
    environmentId: EnvironmentId,
    userId: string,
    target: UnlinkTarget,
    tx: Transaction,
  ): Promise<Credential> {
    const credential = await this.lock(environmentId, userId, target, tx);
    if (!credential) throw invalidUnlinkRequest();
    if (credential.walletProperties !== null) throw forbiddenUnlinkRequest();
    const formats = this.methods.provenFormats;
    if (!(await this.removals.remove(environmentId, userId, credential.id, formats, tx))) throw lastSignInCredential();
    await this.release(environmentId, credential, tx);
    if (credential.walletId) await this.facets.drop(environmentId, userId, credential.walletId, tx);
    const user = await this.users.read(environmentId, userId, tx);
    await this.users.change(environmentId, userId, profileWithout(user, credential), userId, tx);
    const events = socialEvents(SOCIAL_UNLINKED, userId, credential);
    if (events.length > 0) await this.outbox.append(environmentId, events, tx);
    return credential;
  }

  private async lock(
    environmentId: EnvironmentId,
    userId: string,
    target: UnlinkTarget,
    tx: Transaction,
  ): Promise<Credential | null> {
    const named = await this.credentials.lock(environmentId, { userId, ...target }, tx);
    if (named || !('walletId' in target)) return named;
    return this.credentials.lock(environmentId, { userId, id: target.walletId, format: 'blockchain' }, tx);
  }

  private async release(environmentId: EnvironmentId, credential: Credential, tx: Transaction): Promise<void> {
    const { userId, format, publicIdentifier } = credential;
    const key = keyOfCredential(credential);
    if (key && !(await this.isProvenStill(environmentId, userId, key, tx)))
      await this.removals.release(environmentId, userId, key, tx);
    if (format === 'externalUser' && publicIdentifier !== null) {
      await this.removals.releaseSubject(environmentId, userId, publicIdentifier, tx);
    }
  }

  /**
   * A user may have an identifier twice, after a merge or through an API call. A proven one stays claimed while another
   * proven credential remains: otherwise a later API call could cast doubt on its owner.
   */
  private async isProvenStill(
    environmentId: EnvironmentId,
    userId: string,
    { kind, identifier }: IdentifierKey,
    tx: Transaction,
  ): Promise<boolean> {
    const left = await this.credentials.list(environmentId, { userId }, { limit: MOST_CREDENTIALS }, tx);
    return left.some((credential) => {
      if (credential.verifiedAt === null || credential.walletProperties !== null) return false;
      const key = keyOfCredential(credential);
      return key?.kind === kind && key.identifier === identifier;
    });
  }
}

/** Replaces a removed contact with another proven one. @param user without the credential */
function profileWithout(user: FullUser, credential: Credential): StoredProfile {
  const key = keyOfCredential(credential);
  const others = user.verifiedCredentials.filter(
    ({ format, verifiedAt }) => verifiedAt && format === credential.format,
  );
  const [other] = others;
  switch (key?.kind) {
    case 'email':
      return normaliseEmail(user.email ?? '')?.normal === key.identifier ? { email: other?.email ?? null } : {};
    case 'phoneNumber':
      return normalisePhone(user.phoneNumber ?? '')?.e164 === key.identifier
        ? { phoneNumber: other?.public_identifier ?? null }
        : {};
    default:
      return credential.format === 'externalUser' &&
        user.externalUserId === credential.publicIdentifier &&
        !others.some(({ public_identifier: id }) => id === credential.publicIdentifier)
        ? { externalUserId: null }
        : {};
  }
}
