import { Injectable } from '@nestjs/common';
import { UnitOfWork, type EnvironmentId } from '../../../database/index.js';
import type { FullUser } from '../../users/full-user.js';
import type { StoredProfile } from '../../users/profile-columns.js';
import { UserReader } from '../../users/user-reader.js';
import { UsersService } from '../../users/users.service.js';
import { UsernamesRepository } from '../../users/usernames.repository.js';

/** Stores profile fields that the user is already known to own. */
@Injectable()
export class ProfileStore {
  constructor(
    private readonly work: UnitOfWork,
    private readonly users: UsersService,
    private readonly reader: UserReader,
    private readonly usernames: UsernamesRepository,
  ) {}

  /** @throws ApiError 422 `username_already_exists` */
  store(environmentId: EnvironmentId, userId: string, changes: StoredProfile): Promise<FullUser> {
    return this.work.run(async (tx) => {
      if (Object.values(changes).every((value) => value === undefined)) {
        return this.reader.getFull(environmentId, userId, tx);
      }
      await this.usernames.settle(environmentId, userId, changes, tx);
      return this.users.change(environmentId, userId, changes, userId, tx);
    });
  }
}
