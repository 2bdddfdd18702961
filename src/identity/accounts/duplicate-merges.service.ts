import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import type { EnvironmentId } from '../../database/index.js';
import type { VerifiedCredential } from '../credentials/verified-credential.dto.js';
import { AccountGuards } from '../flows/proofs/account-guards.js';
import { MergeOffers } from '../flows/proofs/merge-offers.js';
import type { MergeConflict } from '../linking/merge-conflicts.js';
import { mergeAccountsInvalid } from '../linking/linking.errors.js';
import type { UserPair } from '../linking/user-merges.repository.js';
import { AccountNotices } from '../notices/account-notices.js';
import { UserReader } from '../users/user-reader.js';
import { DuplicateUnion } from './duplicate-union.js';
import { DuplicatesRepository, type Duplicate, type SharedIdentifier } from './duplicates.repository.js';

const NOTHING_SHARED = 'The two users hold no identifier in common: `users duplicates` lists those who do.';
const GUARDED = 'The user who would go has a second factor, or is a user of the dashboard.';
const ITSELF = 'Name two different users.';
const UNSETTLED = 'Both users have values of their own: say with --keep whose remain.';

/** A user's proven credential. */
export interface ProvenCredential extends Pick<VerifiedCredential, 'format'> {
  /** Human-readable name. */
  label: string;
  verifiedAt: Date;
}

/** The preview an operator sees before merging two users. */
export interface DuplicateMerge {
  shared: SharedIdentifier[];
  /** Evidence of who owns each account, the remaining user first. Empty if only API calls created the account. */
  proven: { userId: string; credentials: ProvenCredential[] }[];
  conflicts: MergeConflict[];
}

/**
 * Resolves identifiers that API calls gave to two users, with which nobody can sign in. Only the customer can say that
 * both are one person; so an operator merges them, and only users who share an identifier.
 */
@Injectable()
export class DuplicateMerges {
  constructor(
    private readonly users: UserReader,
    private readonly duplicates: DuplicatesRepository,
    private readonly guards: AccountGuards,
    private readonly offers: MergeOffers,
    private readonly union: DuplicateUnion,
    private readonly notices: AccountNotices,
  ) {}

  /** Every identifier that more than one user holds. */
  list(environmentId: EnvironmentId): Promise<Duplicate[]> {
    return this.duplicates.list(environmentId);
  }

  /** @throws ApiError 404, 422 `merge_accounts_invalid` */
  async preview(environmentId: EnvironmentId, pair: UserPair): Promise<DuplicateMerge> {
    if (pair.userId === pair.fromUserId) throw mergeAccountsInvalid({ hint: ITSELF });
    const [current, from] = await Promise.all(
      [pair.userId, pair.fromUserId].map((id) => this.users.findFull(environmentId, id)),
    );
    if (!current || !from) throw notFound();
    const shared = await this.duplicates.listShared(environmentId, pair);
    if (shared.length === 0) throw mergeAccountsInvalid({ hint: NOTHING_SHARED });
    const isGuarded = await this.guards.againstOperators(environmentId);
    if (isGuarded(from)) throw mergeAccountsInvalid({ hint: GUARDED });
    const proven = [current, from].map(({ id, verifiedCredentials }) => ({
      userId: id,
      credentials: verifiedCredentials.flatMap(provenCredential),
    }));
    return { shared, proven, conflicts: await this.offers.conflicts(environmentId, current, from) };
  }

  /**
   * @param keep the user whose values win conflicts
   * @throws ApiError 404, 422 `merge_accounts_invalid`. Of concurrent calls, one merges.
   */
  async merge(environmentId: EnvironmentId, pair: UserPair, keep: string | null): Promise<void> {
    const { conflicts } = await this.preview(environmentId, pair);
    if (conflicts.length > 0 && keep === null) throw mergeAccountsInvalid({ hint: UNSETTLED });
    const fields = await this.offers.fields(environmentId);
    const ids = [pair.userId, pair.fromUserId];
    const addresses = await Promise.all(ids.map((userId) => this.notices.addressesOf(environmentId, userId)));
    await this.union.run(environmentId, pair, { keep, fields });
    await this.notices.tell(environmentId, addresses.flat(), { change: 'merged', userAgent: null });
  }
}

const provenCredential = ({ id, format, verifiedAt, ...about }: VerifiedCredential): ProvenCredential[] => {
  const label = about.public_identifier ?? about.email ?? about.address ?? about.oauth_account_id ?? id;
  return verifiedAt ? [{ format, label, verifiedAt }] : [];
};
