import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { UserReader, type FullUser } from '../../identity/index.js';
import { AllowlistEntriesRepository } from '../allowlists/allowlist-entries.repository.js';
import type { EnabledRule } from './enabled-rules.repository.js';
import { entryKeysOf } from './known-identities.js';

export interface UsersOnLists {
  users: ReadonlyMap<string, FullUser>;
  /** The allowlists that each user is on, by user id. */
  lists: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Loads hundreds of users and their allowlist memberships in two statements. */
@Injectable()
export class ListedUsers {
  constructor(
    private readonly users: UserReader,
    private readonly entries: AllowlistEntriesRepository,
  ) {}

  async read(
    environmentId: EnvironmentId,
    ids: readonly string[],
    enabled: readonly EnabledRule[],
  ): Promise<UsersOnLists> {
    const found = await this.users.listFull(environmentId, ids);
    const users = new Map(found.map((user) => [user.id, user]));
    const listIds = enabled.filter(({ kind }) => kind === 'allowlist').map(({ id }) => id);
    if (listIds.length === 0) return { users, lists: new Map() };
    const keys = new Map(found.map((user) => [user.id, entryKeysOf(user)]));
    const matching = await this.entries.matchingKeys(environmentId, listIds, [...new Set([...keys.values()].flat())]);
    const lists = new Map(
      [...keys].map(([id, own]) => [
        id,
        new Set(matching.filter(({ key }) => own.includes(key)).map(({ allowlistId }) => allowlistId)),
      ]),
    );
    return { users, lists };
  }
}
