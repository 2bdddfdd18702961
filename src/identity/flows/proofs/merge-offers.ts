import { Injectable } from '@nestjs/common';
import { freshProofRequired, type EndUserPrincipal } from '../../../auth/index.js';
import { Clock } from '../../../common/clock.js';
import { UnitOfWork, type EnvironmentId } from '../../../database/index.js';
import { isFresh } from '../../assurance/elevated-token.js';
import type { IdentifierKey } from '../../credentials/identifier-key.js';
import { KnownCustomFields } from '../../custom-fields/known-custom-fields.js';
import { mergeConflicts, mergePayload, type ConflictField, type MergeConflict } from '../../linking/merge-conflicts.js';
import { MERGE_OFFER_SECONDS } from '../../linking/merge-limits.js';
import { mergeAccountsConfirmation } from '../../linking/linking.errors.js';
import { PendingMergesRepository } from '../../linking/pending-merges.repository.js';
import type { FullUser } from '../../users/full-user.js';
import { UserReader } from '../../users/user-reader.js';
import type { Proof } from './proof.js';

const TOO_OLD = 'Sign in with the credential of the other account once more, and prove it within five minutes.';

/** The other user, and the credential of theirs that the caller has proven. */
interface Met {
  other: FullUser;
  key: Pick<IdentifierKey, 'kind' | 'identifier'>;
}

/** Offers to merge two accounts once the person has proven a credential of each. */
@Injectable()
export class MergeOffers {
  constructor(
    private readonly users: UserReader,
    private readonly customFields: KnownCustomFields,
    private readonly pending: PendingMergesRepository,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Remembers for five minutes that the caller has proven a credential of the other user, and returns the preview. This
   * uses up the proof, except for a wallet's signed message: the person may choose to move the wallet with it instead.
   * A proof used before offers nothing.
   * @throws ApiError 422 `merge_accounts_confirmation`, or 403 `fresh_proof_required` if the proof is older: the person
   *   who gave it then, elsewhere, need not be the caller
   */
  async make(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { other, key }: Met,
    proof: Proof,
  ): Promise<never> {
    if (!isFresh(proof.assurance.at, this.clock.timestamp())) throw freshProofRequired({ hint: TOO_OLD });
    const current = await this.users.getFull(environmentId, caller.userId);
    const conflicts = await this.conflicts(environmentId, current, other);
    await this.work.run(async (tx) => {
      await (proof.assertUnused ? proof.assertUnused(tx) : proof.redeem(tx));
      const { amr, voucher } = proof.assurance;
      const directory = typeof voucher === 'object' ? voucher.directory : null;
      const offer = { otherUserId: other.id, key, amr, directory };
      await this.pending.store(environmentId, caller, offer, MERGE_OFFER_SECONDS, tx);
    });
    throw mergeAccountsConfirmation({ payload: mergePayload(other, conflicts) });
  }

  async conflicts(environmentId: EnvironmentId, current: FullUser, from: FullUser): Promise<MergeConflict[]> {
    return mergeConflicts(current, from, await this.fields(environmentId));
  }

  /** The environment's custom fields. Must not be called in a transaction. */
  async fields(environmentId: EnvironmentId): Promise<readonly ConflictField[]> {
    return (await this.customFields.read(environmentId)).customFields ?? [];
  }
}
