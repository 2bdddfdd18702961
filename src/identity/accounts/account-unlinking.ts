import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import type { Credential } from '../credentials/credential.entity.js';
import { invalidUnlinkRequest } from '../linking/linking.errors.js';
import { UserMergesRepository } from '../linking/user-merges.repository.js';
import { SessionIssuer } from '../sessions/session-issuer.js';
import { UserFacets } from '../users/user-facets.js';
import { CredentialRemovals, type UnlinkTarget } from './credential-removals.js';

/** The transaction in which a user gives a credential up. */
@Injectable()
export class AccountUnlinking {
  constructor(
    private readonly merges: UserMergesRepository,
    private readonly removals: CredentialRemovals,
    private readonly facets: UserFacets,
    private readonly sessions: SessionIssuer,
  ) {}

  /** @param primaryWalletId the wallet that the user is to be known by */
  async run(
    environmentId: EnvironmentId,
    { userId, sessionId }: EndUserPrincipal,
    target: UnlinkTarget,
    primaryWalletId: string | undefined,
    tx: Transaction,
  ): Promise<Credential> {
    await this.merges.lockUsers(environmentId, [userId], tx);
    const removed = await this.removals.remove(environmentId, userId, target, tx);
    if (primaryWalletId && !(await this.facets.prefer(environmentId, userId, primaryWalletId, tx))) {
      throw invalidUnlinkRequest({ hint: 'Let `primaryWalletId` name a wallet that the user keeps.' });
    }
    await this.sessions.endOthers(environmentId, userId, sessionId, tx);
    return removed;
  }
}
