import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import { MergedRows, type EnvironmentId, type Transaction } from '../../database/index.js';
import { ChangeLog, SERVICE } from '../../organizations/index.js';
import type { AccountGuard } from '../flows/proofs/account-guards.js';
import { UsernamesRepository } from '../users/usernames.repository.js';
import { usernameAlreadyExists } from '../users/user.errors.js';
import { mergeAccountsInvalid } from '../linking/linking.errors.js';
import { UserMergesRepository, type UserPair } from '../linking/user-merges.repository.js';
import type { FullUser } from '../users/full-user.js';
import type { StoredProfile } from '../users/profile-columns.js';
import { UserFacets } from '../users/user-facets.js';
import { UsersService } from '../users/users.service.js';
import { USER_MERGED, mergeEvent } from './account.events.js';

export interface HeldUsers {
  current: FullUser;
  from: FullUser;
}

/** Stored next to what facets moved, under a name that no facet has. */
export const TAKEN_ROWS = 'taken_rows';

/** Merges two users. docs/linking.md describes what happens to their data. */
@Injectable()
export class UserUnion {
  constructor(
    private readonly merges: UserMergesRepository,
    private readonly users: UsersService,
    private readonly facets: UserFacets,
    private readonly usernames: UsernamesRepository,
    private readonly rows: MergedRows,
    private readonly changes: ChangeLog,
  ) {}

  /** Both users, locked until the transaction ends. */
  async hold(
    environmentId: EnvironmentId,
    { fromUserId, userId }: UserPair,
    isGuarded: AccountGuard,
    tx: Transaction,
  ): Promise<HeldUsers> {
    if (!(await this.merges.lockUsers(environmentId, [fromUserId, userId], tx))) throw mergeAccountsInvalid();
    const from = await this.users.read(environmentId, fromUserId, tx);
    // A device may have been added, or an address proven, since the account was checked.
    if (isGuarded(from)) throw mergeAccountsInvalid();
    const refusing = await this.rows.findRefusing(environmentId, fromUserId, tx);
    if (refusing) throw mergeAccountsInvalid({ hint: KEPT_WITH_USER });
    const overfull = await this.rows.findOverfull(environmentId, fromUserId, tx);
    if (overfull) throw mergeAccountsInvalid({ hint: tooMany(overfull.what) });
    return { current: await this.users.read(environmentId, userId, tx), from };
  }

  /**
   * The merged user's own rows go first, so that names and unique values are free for the other.
   * @param causedBy the end user who requests it; null for operators
   */
  async join(
    environmentId: EnvironmentId,
    { current, from, profile, causedBy }: HeldUsers & { profile: StoredProfile; causedBy: string | null },
    tx: Transaction,
  ): Promise<FullUser> {
    const pair = { fromUserId: from.id, userId: current.id };
    const followed = await this.facets.merge(environmentId, pair, tx);
    const moved = { ...followed, [TAKEN_ROWS]: await this.rows.take(environmentId, pair, tx) };
    await this.merges.keep(environmentId, { ...pair, id: newId(), moved }, tx);
    const credentials = await this.merges.move(environmentId, pair, tx);
    await this.users.remove(environmentId, from.id, causedBy, tx);
    const { username } = profile;
    if (username && !(await this.usernames.claim(environmentId, current.id, username, tx))) {
      throw usernameAlreadyExists();
    }
    const drafts = [mergeEvent(USER_MERGED, { ...pair, credentials }, causedBy)];
    await this.changes.tell(environmentId, { type: 'user', actor: SERVICE, drafts }, tx);
    return this.users.change(environmentId, current.id, profile, causedBy, tx);
  }
}

const KEPT_WITH_USER =
  'The other account has keys that are sealed to it. Sign in to that account, and merge this one into it.';

const tooMany = (what: string): string =>
  `The other account has more of this than could be brought back: ${what}. Sign in to that account, and merge this one into it.`;
