import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import type { FullUser } from '../../users/full-user.js';
import type { StoredProfile } from '../../users/profile-columns.js';
import { UserReader } from '../../users/user-reader.js';
import { UsersService } from '../../users/users.service.js';
import { UsernamesRepository } from '../../users/usernames.repository.js';
import { AdmittedChanges } from '../admission/admitted-changes.js';

/** Stores profile fields that the user is already known to own. */
@Injectable()
export class ProfileStore {
  constructor(
    private readonly admitted: AdmittedChanges,
    private readonly users: UsersService,
    private readonly reader: UserReader,
    private readonly usernames: UsernamesRepository,
  ) {}

  /** @throws ApiError 422 `username_already_exists` */
  async store(
    environmentId: EnvironmentId,
    userId: string,
    changes: StoredProfile,
    client: ClientOrigin,
  ): Promise<FullUser> {
    const { user } = await this.admitted.run(environmentId, client, async (tx) => {
      if (Object.values(changes).every((value) => value === undefined)) {
        return { user: await this.reader.getFull(environmentId, userId, tx) };
      }
      await this.usernames.settle(environmentId, userId, changes, tx);
      return { user: await this.users.change(environmentId, userId, changes, userId, tx) };
    });
    return user;
  }
}
