import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { UserListRepository, type UserPage } from './user-list.repository.js';
import type { ListUsersQuery } from './user-query.dto.js';
import { userSearchOf } from './user-search.js';

/** Pages of an environment's users. */
@Injectable()
export class UserListService {
  constructor(private readonly users: UserListRepository) {}

  /** @throws ApiError 400 for an unsupported order or filter */
  async list(environmentId: EnvironmentId, query: ListUsersQuery): Promise<UserPage> {
    return this.users.listPage(environmentId, userSearchOf(query));
  }
}
