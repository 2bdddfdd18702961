import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { RecentProof } from '../assurance/recent-proof.js';
import { AdmittedChanges } from '../flows/admission/admitted-changes.js';
import { SessionAnswer } from '../flows/sessions/session-answer.js';
import { invalidUnlinkRequest } from '../linking/linking.errors.js';
import { AccountNotices } from '../notices/account-notices.js';
import type { SignedIn } from '../sessions/signed-in.js';
import { SingleSignOn } from '../single-sign-on/single-sign-on.js';
import type { FullUser } from '../users/full-user.js';
import { UserReader } from '../users/user-reader.js';
import { AccountUnlinking } from './account-unlinking.js';
import type { UnlinkTarget } from './credential-removals.js';
import type { VerifyUnlinkRequest } from './account.dto.js';

/** Unlinks a credential at the user's request. */
@Injectable()
export class Unlinks {
  constructor(
    private readonly recent: RecentProof,
    private readonly unlinking: AccountUnlinking,
    private readonly users: UserReader,
    private readonly answer: SessionAnswer,
    private readonly singleSignOn: SingleSignOn,
    private readonly notices: AccountNotices,
    private readonly changes: AdmittedChanges,
  ) {}

  /**
   * Ends the user's other sessions, and notifies every address they had.
   * @throws ApiError 403 `fresh_proof_required`, 422 of `AccountUnlinking.run`
   */
  async unlink(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    request: VerifyUnlinkRequest,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    const target = targetOf(request);
    await this.recent.assert(environmentId, caller, 'credential:unlink');
    const { userId } = caller;
    const addresses = await this.notices.addressesOf(environmentId, userId);
    const primary = request.primaryWalletId?.toLowerCase();
    // Loaded here so that the transaction does not wait for it.
    await this.singleSignOn.environment(environmentId);
    const { user, about } = await this.changes.run(environmentId, client, async (tx) => {
      const { format } = await this.unlinking.run(environmentId, caller, target, primary, tx);
      return { user: await this.users.getFull(environmentId, userId, tx), about: format };
    });
    await this.notices.tell(environmentId, addresses, {
      change: 'credentialUnlinked',
      about,
      userAgent: client.userAgent,
    });
    return this.answer.renew(environmentId, caller, user, client);
  }
}

/**
 * Clients that unlink a credential name the selected wallet next to it.
 * @throws ApiError 422 `invalid_unlink_request` if the body names nothing
 */
function targetOf({ walletId, verifiedCrentialId, verifiedCredentialId }: VerifyUnlinkRequest): UnlinkTarget {
  const id = verifiedCredentialId ?? verifiedCrentialId;
  if (id !== undefined) return { id: id.toLowerCase() };
  if (walletId !== undefined) return { walletId: walletId.toLowerCase() };
  throw invalidUnlinkRequest();
}
