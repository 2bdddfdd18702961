import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import type { EnvironmentId, Executor } from '../../database/index.js';
import type { FullUser } from './full-user.js';
import type { SdkUser } from './user.dto.js';
import { UsersRepository } from './users.repository.js';

const PLAIN = { sessions: false, oauthMetadata: false };

/** Reads whole users for other parts of the service: one statement each. */
@Injectable()
export class UserReader {
  constructor(private readonly users: UsersRepository) {}

  async findFull(environmentId: EnvironmentId, userId: string, on?: Executor): Promise<FullUser | null> {
    return this.users.findUser(environmentId, userId, PLAIN, on);
  }

  /** @throws ApiError 404 */
  async getFull(environmentId: EnvironmentId, userId: string, on?: Executor): Promise<FullUser> {
    const user = await this.findFull(environmentId, userId, on);
    if (!user) throw notFound();
    return user;
  }

  /** The users that exist, in any order. */
  listFull(environmentId: EnvironmentId, userIds: readonly string[]): Promise<FullUser[]> {
    return this.users.findUsers(environmentId, userIds, PLAIN);
  }

  /** @throws ApiError 404 */
  async getSdk(environmentId: EnvironmentId, userId: string, on?: Executor): Promise<SdkUser> {
    const user = await this.getFull(environmentId, userId, on);
    return { ...user, missingFields: user.missingFields ?? [] };
  }
}
