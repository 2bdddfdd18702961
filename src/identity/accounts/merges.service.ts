import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { RecentProof } from '../assurance/recent-proof.js';
import { AccountGuards } from '../flows/proofs/account-guards.js';
import { Meetings } from '../flows/proofs/meetings.js';
import { MergeOffers } from '../flows/proofs/merge-offers.js';
import { mergeAccountsConfirmation, mergeAccountsInvalid } from '../linking/linking.errors.js';
import { mergePayload, type MergeResolution } from '../linking/merge-conflicts.js';
import { PendingMergesRepository } from '../linking/pending-merges.repository.js';
import type { SignedIn } from '../sessions/signed-in.js';
import type { FullUser } from '../users/full-user.js';
import { UserReader } from '../users/user-reader.js';
import { SINGLE_SIGN_ON_AMR } from '../vocabulary/factors.js';
import { MergeTransaction } from './merge-transaction.js';

const NOT_OFFERED = 'Prove a credential of the other account in this session, and confirm within five minutes.';
const GUARDED =
  'The other account has a second step. Where that is a code by mail, prove its address in this session; otherwise sign in to it, and merge this one into it.';
const KEPT_OUT = 'A rule of the environment keeps the other account out.';

/** Merges two accounts at the request of the person, who has proven a credential of each. */
@Injectable()
export class Merges {
  constructor(
    private readonly recent: RecentProof,
    private readonly pending: PendingMergesRepository,
    private readonly users: UserReader,
    private readonly meetings: Meetings,
    private readonly guards: AccountGuards,
    private readonly offers: MergeOffers,
    private readonly merging: MergeTransaction,
  ) {}

  /**
   * @param resolutions null if the person was not asked: then there must be no conflict
   * @throws ApiError 403 `fresh_proof_required`, 422 `merge_accounts_invalid`, `merge_accounts_confirmation` with the
   *   unresolved conflicts, and of a rule that requires another way to the other account
   */
  async merge(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    resolutions: readonly MergeResolution[] | null,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    const session = await this.recent.assert(environmentId, caller, 'credential:link');
    const offer = await this.pending.find(environmentId, caller);
    const from = offer && (await this.users.findFull(environmentId, offer.otherUserId));
    if (!from) throw mergeAccountsInvalid({ hint: NOT_OFFERED });
    const { amr, directory } = offer;
    // An instance of the previous version leaves the directory of the preceding offer in the row.
    const voucher = directory !== null && amr.includes(SINGLE_SIGN_ON_AMR) ? { directory } : undefined;
    const isGuarded = await this.guards.against(environmentId, amr);
    if (isGuarded(from)) throw mergeAccountsInvalid({ hint: GUARDED });
    const isBlocked = await this.meetings.isBlocked(environmentId, from, { amr, voucher, client });
    if (isBlocked) throw mergeAccountsInvalid({ hint: KEPT_OUT });
    if (resolutions === null) {
      const current = await this.users.getFull(environmentId, caller.userId);
      const conflicts = await this.offers.conflicts(environmentId, current, from);
      if (conflicts.length > 0) throw mergeAccountsConfirmation({ payload: mergePayload(from, conflicts) });
    }
    return this.merging.run(environmentId, caller, {
      fromUserId: from.id,
      isGuarded,
      session,
      resolutions: resolutions ?? [],
      client,
    });
  }
}
