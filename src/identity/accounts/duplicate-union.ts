import { Injectable } from '@nestjs/common';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { AccountGuards } from '../flows/proofs/account-guards.js';
import { mergeConflicts, mergedProfile, type ConflictField } from '../linking/merge-conflicts.js';
import { mergeAccountsInvalid } from '../linking/linking.errors.js';
import type { UserPair } from '../linking/user-merges.repository.js';
import { SessionIssuer } from '../sessions/session-issuer.js';
import { DuplicatesRepository } from './duplicates.repository.js';
import { UserUnion } from './user-union.js';

/** The transaction in which an operator merges two users who share an identifier. */
@Injectable()
export class DuplicateUnion {
  constructor(
    private readonly work: UnitOfWork,
    private readonly duplicates: DuplicatesRepository,
    private readonly guards: AccountGuards,
    private readonly union: UserUnion,
    private readonly sessions: SessionIssuer,
  ) {}

  /**
   * Signs both users out everywhere.
   * @param keep the user whose values win conflicts; null if there must be none
   * @throws ApiError 422 `merge_accounts_invalid`, for all concurrent callers but one
   */
  async run(
    environmentId: EnvironmentId,
    pair: UserPair,
    { keep, fields }: { keep: string | null; fields: readonly ConflictField[] },
  ): Promise<void> {
    const isGuarded = await this.guards.againstOperators(environmentId);
    await this.work.run(async (tx) => {
      const { current, from } = await this.union.hold(environmentId, pair, isGuarded, tx);
      // Checked again: one of them may have lost it since.
      if ((await this.duplicates.listShared(environmentId, pair, tx)).length === 0) throw mergeAccountsInvalid();
      const conflicts = mergeConflicts(current, from, fields);
      const answers = keep === null ? [] : conflicts.map(({ field: { name, type = 'standard' } }) => ({ name, type }));
      const resolutions = answers.map(({ name, type }) => ({ userId: keep!, fieldKey: name, type }));
      const profile = mergedProfile(current, from, conflicts, resolutions);
      for (const userId of [from.id, current.id].toSorted()) await this.sessions.endAll(environmentId, userId, tx);
      await this.union.join(environmentId, { current, from, profile, causedBy: null }, tx);
    });
  }
}
