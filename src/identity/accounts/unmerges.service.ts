import { Injectable } from '@nestjs/common';
import { defineError } from '../../common/errors/index.js';
import {
  MergedRows,
  MergedTables,
  UnitOfWork,
  type EnvironmentId,
  type TakenRows,
  type Transaction,
} from '../../database/index.js';
import { ChangeLog, SERVICE } from '../../organizations/index.js';
import { CredentialsRepository } from '../credentials/credentials.repository.js';
import { IdentifierClaimsRepository } from '../credentials/identifier-claims.repository.js';
import type { IdentifierKey } from '../credentials/identifier-key.js';
import { CustomFieldsRepository } from '../custom-fields/custom-fields.repository.js';
import { UserMergesRepository, type UndoneMerge } from '../linking/user-merges.repository.js';
import { AccountNotices } from '../notices/account-notices.js';
import { SessionIssuer } from '../sessions/session-issuer.js';
import { STORED_COLUMNS, type StoredProfile } from '../users/profile-columns.js';
import { UserFacets } from '../users/user-facets.js';
import { UsernamesRepository } from '../users/usernames.repository.js';
import { UsersService } from '../users/users.service.js';
import { USER_UNMERGED, mergeEvent } from './account.events.js';
import { keyOfCredential } from '../credentials/credential-identifier.js';
import { MOST_CREDENTIALS } from './credential-removals.js';
import { TAKEN_ROWS } from './user-union.js';

export const nothingToUnmerge = defineError({
  code: 'nothing_to_unmerge',
  status: 422,
  message: 'There is no merge into this user that can be undone.',
  hint: 'Name the user who remained, within seven days of the merge.',
  cause:
    'No user became part of this one within seven days, the merge was undone before, or the id of the other is taken again.',
  fix: 'Nothing is left to do: what it takes to undo a merge is removed after seven days.',
});

const LOST_SINCE = [
  'second factors that were being set up when the users were merged',
  'what was unlinked, moved or erased since the merge',
  'usernames, and unique values of custom fields, that somebody else has taken since the merge',
] as const;

export interface Unmerged {
  userId: string;
  fromUserId: string;
  /** What is not restored, in words for people. */
  lost: string[];
}

type Metadata = StoredProfile['metadata'];

/** Restores two merged users. */
@Injectable()
export class UserRestoration {
  constructor(
    private readonly merges: UserMergesRepository,
    private readonly facets: UserFacets,
    private readonly rows: MergedRows,
    private readonly tables: MergedTables,
    private readonly users: UsersService,
    private readonly usernames: UsernamesRepository,
    private readonly fields: CustomFieldsRepository,
    private readonly credentials: CredentialsRepository,
    private readonly claims: IdentifierClaimsRepository,
  ) {}

  /** What is not restored, in words for people. */
  get lost(): string[] {
    return [...this.tables.of('ended').map(({ what }) => what), ...LOST_SINCE];
  }

  async restore(environmentId: EnvironmentId, merge: UndoneMerge, tx: Transaction): Promise<void> {
    const { userId, fromUserId, fromUser, moved } = merge;
    const before = profileBefore(merge, await this.users.read(environmentId, userId, tx));
    // First, so that unique values and names are free for the restored user.
    const username = before.username && (await this.claimed(environmentId, userId, before.username, tx));
    if (username === null) await this.usernames.release(environmentId, userId, tx);
    const own = await this.claimedValues(environmentId, userId, before.metadata, tx);
    await this.users.change(environmentId, userId, { ...before, username, ...own }, null, tx);
    const name = fromUser['username'] as string | null;
    const theirs = await this.claimedValues(environmentId, fromUserId, fromUser['metadata'] as Metadata, tx);
    const restored = {
      ...fromUser,
      ...theirs,
      username: name && (await this.claimed(environmentId, fromUserId, name, tx)),
    };
    if (!(await this.merges.restore(environmentId, { ...merge, fromUser: restored }, tx))) throw nothingToUnmerge();
    await this.merges.restoreClaims(environmentId, merge, await this.keptByRemaining(environmentId, merge, tx), tx);
    await this.withdrawProofs(environmentId, { userId, holder: fromUserId }, tx);
    await this.withdrawProofs(environmentId, { userId: fromUserId, holder: userId }, tx);
    await this.facets.unmerge(environmentId, { fromUserId, userId }, moved, tx);
    const taken = (moved[TAKEN_ROWS] ?? {}) as Record<string, TakenRows>;
    await this.rows.giveBack(environmentId, { fromUserId, userId }, taken, tx);
    // Rewrites the rows derived from the metadata.
    const { metadata } = await this.users.read(environmentId, fromUserId, tx);
    await this.users.change(environmentId, fromUserId, metadata ? { metadata } : {}, null, tx);
  }

  /** What both users held, and only the remaining one still has a proven credential of. */
  private async keptByRemaining(
    environmentId: EnvironmentId,
    { userId, fromUserId }: UndoneMerge,
    tx: Transaction,
  ): Promise<IdentifierKey[]> {
    const theirs = (await this.listProven(environmentId, fromUserId, tx)).map(({ key }) => key);
    const own = (await this.listProven(environmentId, userId, tx)).map(({ key }) => key);
    return own.filter((key) => !isAmong(theirs, key));
  }

  /** While the two were one user, a proof verified the copies of both. It is the holder's of the claim. */
  private async withdrawProofs(
    environmentId: EnvironmentId,
    { userId, holder }: { userId: string; holder: string },
    tx: Transaction,
  ): Promise<void> {
    const claimed = await this.claims.listProven(environmentId, holder, tx);
    const own = await this.listProven(environmentId, userId, tx);
    const copies = own.filter(({ key }) => isAmong(claimed, key)).map(({ id }) => id);
    await this.credentials.withdrawProof(environmentId, copies, tx);
  }

  /** A user's proven credentials that have a key. */
  private async listProven(
    environmentId: EnvironmentId,
    userId: string,
    tx: Transaction,
  ): Promise<{ id: string; key: IdentifierKey }[]> {
    const held = await this.credentials.list(environmentId, { userId }, { limit: MOST_CREDENTIALS }, tx);
    return held.flatMap((credential) => {
      const key = credential.verifiedAt && !credential.walletProperties ? keyOfCredential(credential) : null;
      return key ? [{ id: credential.id, key }] : [];
    });
  }

  /** The name if nobody else has taken it. */
  private async claimed(
    environmentId: EnvironmentId,
    userId: string,
    username: string,
    tx: Transaction,
  ): Promise<string | null> {
    return (await this.usernames.claim(environmentId, userId, username, tx)) ? username : null;
  }

  /** The metadata without the unique values that somebody else has taken; nothing if there are none. */
  private async claimedValues(
    environmentId: EnvironmentId,
    userId: string,
    metadata: Metadata,
    tx: Transaction,
  ): Promise<Pick<StoredProfile, 'metadata'>> {
    if (!metadata) return {};
    const taken = new Set(await this.fields.listTaken(environmentId, userId, metadata, tx));
    return { metadata: Object.fromEntries(Object.entries(metadata).filter(([key]) => !taken.has(key))) };
  }
}

type NamedIdentifier = Pick<IdentifierKey, 'kind' | 'identifier'>;

const isAmong = (known: readonly NamedIdentifier[], { kind, identifier }: NamedIdentifier): boolean =>
  known.some((one) => one.kind === kind && one.identifier === identifier);

/** Undoes merges, for operators. */
@Injectable()
export class Unmerges {
  constructor(
    private readonly merges: UserMergesRepository,
    private readonly restoration: UserRestoration,
    private readonly sessions: SessionIssuer,
    private readonly changes: ChangeLog,
    private readonly notices: AccountNotices,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Undoes the last merge into a user. Of concurrent calls, one undoes it.
   * @throws ApiError 422 `nothing_to_unmerge`
   */
  async undo(environmentId: EnvironmentId, userId: string): Promise<Unmerged> {
    const latest = await this.merges.findLatest(environmentId, userId);
    if (!latest) throw nothingToUnmerge();
    const addresses = await this.notices.addressesOf(environmentId, userId);
    const undone = await this.work.run(async (tx) => {
      await this.merges.lockUsers(environmentId, [userId], tx);
      const merge = await this.merges.undo(environmentId, latest.id, tx);
      if (!merge) throw nothingToUnmerge();
      await this.sessions.endAll(environmentId, userId, tx);
      await this.restoration.restore(environmentId, merge, tx);
      const { fromUserId, credentialIds } = merge;
      const data = { userId, fromUserId, credentials: credentialIds.length };
      const drafts = [mergeEvent(USER_UNMERGED, data, null)];
      await this.changes.tell(environmentId, { type: 'user', actor: SERVICE, drafts }, tx);
      return { userId, fromUserId, lost: this.restoration.lost };
    });
    await this.notices.tell(environmentId, addresses, { change: 'unmerged', userAgent: null });
    return undone;
  }
}

/** Values that came from the other user, and have not changed since, are reset; of metadata, each entry by itself. */
function profileBefore({ fromUser, userBefore }: UndoneMerge, current: StoredProfile): StoredProfile {
  const before: Record<string, unknown> = {};
  for (const [name, column] of Object.entries(STORED_COLUMNS)) {
    const [now, theirs, own] = [current[name as keyof StoredProfile], fromUser[column], userBefore[column]];
    if (same(now, own)) continue;
    if (name === 'metadata' || name === 'privateMetadata') {
      const kept = metadataBefore(now as Metadata, theirs as Metadata, own as Metadata);
      if (!same(kept, now)) before[name] = kept;
    } else if (same(now, theirs)) before[name] = own ?? null;
  }
  return before;
}

/** Null where nothing is left and there was nothing before. */
function metadataBefore(now: Metadata | null, theirs: Metadata | null, own: Metadata | null): Metadata | null {
  const kept = Object.entries(now ?? {}).flatMap(([key, value]): [string, unknown][] => {
    if (!same(value, theirs?.[key]) || same(value, own?.[key])) return [[key, value]];
    return own && Object.hasOwn(own, key) ? [[key, own[key]]] : [];
  });
  return now && (kept.length > 0 || own) ? Object.fromEntries(kept) : null;
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
