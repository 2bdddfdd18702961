import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import type { Credential } from '../credentials/credential.entity.js';
import { invalidUnlinkRequest } from '../linking/linking.errors.js';
import { UserMergesRepository } from '../linking/user-merges.repository.js';
import { SessionIssuer } from '../sessions/session-issuer.js';
import { provenAddressesOf } from '../single-sign-on/proven-addresses.js';
import { SingleSignOn } from '../single-sign-on/single-sign-on.js';
import { UserFacets } from '../users/user-facets.js';
import { UserReader } from '../users/user-reader.js';
import { CredentialRemovals, type UnlinkTarget } from './credential-removals.js';

/** The transaction that unlinks a credential from a user. */
@Injectable()
export class AccountUnlinking {
  constructor(
    private readonly merges: UserMergesRepository,
    private readonly removals: CredentialRemovals,
    private readonly facets: UserFacets,
    private readonly sessions: SessionIssuer,
    private readonly users: UserReader,
    private readonly singleSignOn: SingleSignOn,
  ) {}

  /**
   * @param primaryWalletId the wallet to become the user's primary one
   * @throws ApiError 422 of `CredentialRemovals.remove`, `address_held_to_single_sign_on`
   */
  async run(
    environmentId: EnvironmentId,
    { userId, sessionId }: EndUserPrincipal,
    target: UnlinkTarget,
    primaryWalletId: string | undefined,
    tx: Transaction,
  ): Promise<Credential> {
    await this.merges.lockUsers(environmentId, [userId], tx);
    const removed = await this.removals.remove(environmentId, userId, target, tx);
    await this.assertRemovable(environmentId, removed, tx);
    if (primaryWalletId && !(await this.facets.prefer(environmentId, userId, primaryWalletId, tx))) {
      throw invalidUnlinkRequest({ hint: 'Let `primaryWalletId` name a wallet that the user keeps.' });
    }
    await this.sessions.endOthers(environmentId, userId, sessionId, tx);
    return removed;
  }

  /** Called while the user is locked, so that of two addresses removed concurrently one stays. */
  private async assertRemovable(
    environmentId: EnvironmentId,
    { userId, format, email, verifiedAt }: Credential,
    tx: Transaction,
  ): Promise<void> {
    if (format !== 'email' || !email || !verifiedAt) return;
    const kept = provenAddressesOf(await this.users.getFull(environmentId, userId, tx));
    await this.singleSignOn.assertStillHeld(environmentId, [...kept, email], kept, tx);
  }
}
