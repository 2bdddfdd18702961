import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import { Outbox, type EnvironmentId, type Transaction } from '../../database/index.js';
import { UsernamesRepository } from '../flows/proofs/usernames.repository.js';
import { usernameAlreadyExists } from '../flows/flow.errors.js';
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

/** Makes one user of two. What becomes of what they have is written down in docs/linking.md. */
@Injectable()
export class UserUnion {
  constructor(
    private readonly merges: UserMergesRepository,
    private readonly users: UsersService,
    private readonly facets: UserFacets,
    private readonly usernames: UsernamesRepository,
    private readonly outbox: Outbox,
  ) {}

  /** Both users as they are, held until the transaction ends. */
  async hold(environmentId: EnvironmentId, { fromUserId, userId }: UserPair, tx: Transaction): Promise<HeldUsers> {
    if (!(await this.merges.lockUsers(environmentId, [fromUserId, userId], tx))) throw mergeAccountsInvalid();
    const from = await this.users.read(environmentId, fromUserId, tx);
    // A device may have been added since the merge was offered.
    if (from.mfaDevices.length > 0) throw mergeAccountsInvalid();
    return { current: await this.users.read(environmentId, userId, tx), from };
  }

  /** The rows of a user's own go first, so that names and unique values are free when the other takes them. */
  async join(
    environmentId: EnvironmentId,
    { current, from, profile }: HeldUsers & { profile: StoredProfile },
    tx: Transaction,
  ): Promise<FullUser> {
    const pair = { fromUserId: from.id, userId: current.id };
    const moved = await this.facets.merge(environmentId, pair, tx);
    await this.merges.keep(environmentId, { ...pair, id: newId(), moved }, tx);
    const credentials = await this.merges.move(environmentId, pair, tx);
    await this.users.remove(environmentId, from.id, current.id, tx);
    const { username } = profile;
    if (username && !(await this.usernames.claim(environmentId, current.id, username, tx))) {
      throw usernameAlreadyExists();
    }
    await this.outbox.append(environmentId, [mergeEvent(USER_MERGED, { ...pair, credentials }, current.id)], tx);
    return this.users.change(environmentId, current.id, profile, current.id, tx);
  }
}
