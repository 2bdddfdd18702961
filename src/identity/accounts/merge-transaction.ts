import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { AdmittedChanges } from '../flows/admission/admitted-changes.js';
import type { AccountGuard } from '../flows/proofs/account-guards.js';
import { MergeOffers } from '../flows/proofs/merge-offers.js';
import { SessionReplacement } from '../flows/sessions/session-replacement.js';
import { mergeAccountsInvalid } from '../linking/linking.errors.js';
import { mergeConflicts, mergedProfile, type MergeResolution } from '../linking/merge-conflicts.js';
import { PendingMergesRepository } from '../linking/pending-merges.repository.js';
import { AccountNotices } from '../notices/account-notices.js';
import type { Session } from '../sessions/session.entity.js';
import type { SignedIn } from '../sessions/signed-in.js';
import type { FullUser } from '../users/full-user.js';
import { UserUnion } from './user-union.js';

export interface WantedMerge {
  fromUserId: string;
  isGuarded: AccountGuard;
  /** The session of the remaining user. */
  session: Session;
  resolutions: readonly MergeResolution[];
  client: ClientOrigin;
}

/** The transaction of a merge, and its notices. */
@Injectable()
export class MergeTransaction {
  constructor(
    private readonly changes: AdmittedChanges,
    private readonly pending: PendingMergesRepository,
    private readonly offers: MergeOffers,
    private readonly union: UserUnion,
    private readonly sessions: SessionReplacement,
    private readonly notices: AccountNotices,
  ) {}

  /** Signs both users out everywhere; the remaining one continues with a new session. */
  async run(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { fromUserId, isGuarded, session, resolutions, client }: WantedMerge,
  ): Promise<SignedIn<FullUser>> {
    const pair = { fromUserId, userId: caller.userId };
    const fields = await this.offers.fields(environmentId);
    const addresses = await Promise.all(
      Object.values(pair).map((userId) => this.notices.addressesOf(environmentId, userId)),
    );
    const signedIn = await this.sessions.replacing(environmentId, session, client, (replace) =>
      this.changes.run(environmentId, client, async (tx) => {
        const { current, from } = await this.union.hold(environmentId, pair, isGuarded, tx);
        if (!(await this.pending.take(environmentId, caller, fromUserId, tx))) throw mergeAccountsInvalid();
        const conflicts = mergeConflicts(current, from, fields);
        const profile = mergedProfile(current, from, conflicts, resolutions);
        await replace(fromUserId, tx);
        const user = await this.union.join(environmentId, { current, from, profile, causedBy: caller.userId }, tx);
        return { user };
      }),
    );
    await this.notices.tell(environmentId, addresses.flat(), { change: 'merged', userAgent: client.userAgent });
    return signedIn;
  }
}
