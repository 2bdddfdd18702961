import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { UnitOfWork, type EnvironmentId, type Transaction } from '../../database/index.js';
import { ChangeLog, Departures, SERVICE, type Actor } from '../../organizations/index.js';
import type { FullUser } from './full-user.js';
import { assertMetadataSize } from './metadata-size.js';
import type { StoredProfile } from './profile-columns.js';
import { UserFacets } from './user-facets.js';
import { UserReader } from './user-reader.js';
import type { UserUpdateRequest } from './user-request.dto.js';
import { invalidUpdate } from './user.errors.js';
import { USER_DELETED, USER_UPDATED, userEvent } from './user.events.js';
import { UsernamesRepository } from './usernames.repository.js';
import { UsersRepository } from './users.repository.js';

/** Reads, changes and removes single users. */
@Injectable()
export class UsersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly users: UsersRepository,
    private readonly usernames: UsernamesRepository,
    private readonly reader: UserReader,
    private readonly facets: UserFacets,
    private readonly departures: Departures,
    private readonly changes: ChangeLog,
  ) {}

  /** Includes sessions and provider metadata. */
  async get(environmentId: EnvironmentId, userId: string): Promise<FullUser> {
    const user = await this.users.findUser(environmentId, userId, { sessions: true, oauthMetadata: true });
    if (!user) throw notFound();
    return user;
  }

  /** Reads in the caller's transaction. @throws ApiError 404 */
  read(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<FullUser> {
    return this.reader.getFull(environmentId, userId, tx);
  }

  /** @throws ApiError 404, 422 `invalid_update`, `metadata_size_exceeded`, `username_already_exists` */
  async update(
    environmentId: EnvironmentId,
    userId: string,
    request: UserUpdateRequest,
    actor: Actor,
  ): Promise<FullUser> {
    const { id, ...changes } = request;
    if (id !== undefined && id.toLowerCase() !== userId) throw invalidUpdate();
    return this.work.run((tx) => this.changeProfile(environmentId, userId, changes, actor, tx));
  }

  /** A change by a server or a member, in the caller's transaction. @throws as `update` */
  async changeProfile(
    environmentId: EnvironmentId,
    userId: string,
    changes: StoredProfile,
    actor: Actor,
    tx: Transaction,
  ): Promise<FullUser> {
    await this.usernames.settle(environmentId, userId, changes, tx);
    return this.change(environmentId, userId, changes, null, tx, actor);
  }

  /**
   * Changes stored fields in the caller's transaction and emits the event.
   * @param causedBy the end user who changes their own profile; null for servers and members
   * @param actor who acts if no end user does
   */
  async change(
    environmentId: EnvironmentId,
    userId: string,
    changes: StoredProfile,
    causedBy: string | null,
    tx: Transaction,
    actor: Actor = SERVICE,
  ): Promise<FullUser> {
    assertMetadataSize(changes.metadata);
    assertMetadataSize(changes.privateMetadata);
    if (!(await this.users.updateProfile(environmentId, userId, changes, tx))) throw notFound();
    const user = await this.reader.getFull(environmentId, userId, tx);
    const drafts = [userEvent(USER_UPDATED, user, causedBy)];
    await this.changes.tell(environmentId, { type: 'user', actor, drafts, routine: true }, tx);
    return user;
  }

  async delete(environmentId: EnvironmentId, userId: string, actor: Actor): Promise<void> {
    await this.work.run(async (tx) => {
      await this.facets.delete(environmentId, userId, tx);
      await this.remove(environmentId, userId, null, tx, actor);
    });
  }

  /**
   * Removes a user and everything they own; sessions, credentials and claims go by cascade.
   *
   * @throws ApiError 404, 422 `last_owner` for a dashboard user who is an organization's last owner
   */
  async remove(
    environmentId: EnvironmentId,
    userId: string,
    causedBy: string | null,
    tx: Transaction,
    actor: Actor = SERVICE,
  ): Promise<void> {
    const user = await this.reader.getFull(environmentId, userId, tx);
    await this.facets.remove(environmentId, userId, tx);
    await this.depart(environmentId, userId, actor, tx);
    const drafts = [userEvent(USER_DELETED, user, causedBy)];
    await this.changes.tell(environmentId, { type: 'user', actor, drafts }, tx);
  }

  /** The same without a trace: nothing is retained, and the event contains the id alone. */
  async erase(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<void> {
    await this.facets.erase(environmentId, userId, tx);
    await this.depart(environmentId, userId, SERVICE, tx);
    const data = { id: userId, projectEnvironmentId: environmentId };
    const drafts = [{ event: USER_DELETED, resourceId: userId, data, userId }];
    await this.changes.tell(environmentId, { type: 'user', actor: SERVICE, drafts }, tx);
  }

  private async depart(environmentId: EnvironmentId, userId: string, actor: Actor, tx: Transaction): Promise<void> {
    await this.departures.depart(environmentId, userId, tx, actor);
    if ((await this.users.delete(environmentId, { id: userId }, tx)) === 0) throw notFound();
  }
}
