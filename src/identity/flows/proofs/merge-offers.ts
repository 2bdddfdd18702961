import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../../auth/index.js';
import { UnitOfWork, type EnvironmentId } from '../../../database/index.js';
import { KnownCustomFields } from '../../custom-fields/known-custom-fields.js';
import { mergeConflicts, mergePayload, type ConflictField, type MergeConflict } from '../../linking/merge-conflicts.js';
import { MERGE_OFFER_SECONDS } from '../../linking/merge-limits.js';
import { mergeAccountsConfirmation } from '../../linking/linking.errors.js';
import { PendingMergesRepository } from '../../linking/pending-merges.repository.js';
import type { FullUser } from '../../users/full-user.js';
import { UserReader } from '../../users/user-reader.js';
import type { Proof } from './proof.js';

/** Offers to make two accounts one, once the person has proven a credential of each. */
@Injectable()
export class MergeOffers {
  constructor(
    private readonly users: UserReader,
    private readonly customFields: KnownCustomFields,
    private readonly pending: PendingMergesRepository,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Remembers for five minutes that the caller has proven a credential of the other user, and answers the preview. The
   * proof is used up, but for the signed message of a wallet: the person may choose to move the wallet with it instead.
   * @throws ApiError 422 `merge_accounts_confirmation`, always
   */
  async make(environmentId: EnvironmentId, caller: EndUserPrincipal, other: FullUser, proof: Proof): Promise<never> {
    const current = await this.users.getFull(environmentId, caller.userId);
    const conflicts = await this.conflicts(environmentId, current, other);
    await this.work.run(async (tx) => {
      if (proof.identifiers[0].identifier.kind !== 'wallet') await proof.redeem(tx);
      await this.pending.store(environmentId, caller, other.id, MERGE_OFFER_SECONDS, tx);
    });
    throw mergeAccountsConfirmation({ payload: mergePayload(other, conflicts) });
  }

  async conflicts(environmentId: EnvironmentId, current: FullUser, from: FullUser): Promise<MergeConflict[]> {
    return mergeConflicts(current, from, await this.fields(environmentId));
  }

  /** The fields that the environment asks its users for. Not to be called in a transaction. */
  async fields(environmentId: EnvironmentId): Promise<readonly ConflictField[]> {
    return (await this.customFields.read(environmentId)).customFields ?? [];
  }
}
