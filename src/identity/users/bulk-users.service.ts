import { Injectable } from '@nestjs/common';
import { ApiError, payloadTooLarge } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import {
  lockTenant,
  lockTenantFor,
  translateDatabaseError,
  type EnvironmentId,
  type Transaction,
  type Work,
} from '../../database/index.js';
import type { Actor } from '../../organizations/index.js';
import { IdentifierClaimsRepository } from '../credentials/identifier-claims.repository.js';
import { identifierKeyOf, type IdentifierKey } from '../credentials/identifier-key.js';
import { findRuleCode } from '../vocabulary/rule-codes.js';
import type { BulkUserCreateResponse, BulkUserCreateResponseFailed } from './bulk-users.dto.js';
import { GivenAccounts, type Connections } from './given-accounts.js';
import { UserCreation } from './user-creation.js';
import type { BulkUserCreateItem } from './user-request.dto.js';
import { unambiguous } from './user-identities.js';
import { UsersService } from './users.service.js';

/** The size limit for one item of a bulk request: the same as for a single-user request. */
const MAX_ITEM_BYTES = 100 * 1024;

type Outcome = Required<BulkUserCreateResponse>;

/** Creates many users; each succeeds or fails on its own. */
@Injectable()
export class BulkUsersService {
  constructor(
    private readonly creation: UserCreation,
    private readonly users: UsersService,
    private readonly claims: IdentifierClaimsRepository,
    private readonly given: GivenAccounts,
  ) {}

  /** @param upsert update the profile of an existing user with the item's email, or its first social account */
  async create(
    environmentId: EnvironmentId,
    items: readonly BulkUserCreateItem[],
    upsert: boolean,
    actor: Actor,
    work: Work,
  ): Promise<BulkUserCreateResponse> {
    const outcome: Outcome = { created: [], updated: [], failed: [], total: items.length };
    const keyOf = upsert ? keyedBy(await this.given.connectionsOf(environmentId, items)) : () => null;
    if (upsert) await this.hold(environmentId, items, keyOf, work);
    // Sequential: a later item may update the user of an earlier one.
    for (const item of items) await this.store(environmentId, item, { keyOf, actor }, outcome, work);
    return outcome;
  }

  /**
   * With an `Idempotency-Key` all items share one transaction, so two calls with the same users in different orders
   * would deadlock: such a call takes its locks up front, in a fixed order. Any other call releases these locks at
   * once.
   */
  private async hold(
    environmentId: EnvironmentId,
    items: readonly BulkUserCreateItem[],
    keyOf: KeyOfItem,
    work: Work,
  ): Promise<void> {
    const locks = items.flatMap((item) => locksOf(item, keyOf));
    await work.run((tx) => lockTenantFor(locks, environmentId, tx));
  }

  private async store(
    environmentId: EnvironmentId,
    item: BulkUserCreateItem,
    { keyOf, actor }: { keyOf: KeyOfItem; actor: Actor },
    outcome: Outcome,
    work: Work,
  ): Promise<void> {
    const id = newId();
    let existing: string | null = null;
    try {
      if (Buffer.byteLength(JSON.stringify(item)) > MAX_ITEM_BYTES) throw payloadTooLarge();
      const key = keyOf(item);
      existing = key && (await work.run((tx) => this.holderOf(environmentId, key, tx)));
      if (!existing) {
        const made = await this.make(environmentId, { ...item, id }, { key, actor }, work);
        if (typeof made !== 'string') return void outcome.created.push(made);
        existing = made;
      }
      outcome.updated.push(await this.update(environmentId, existing, item, actor, work));
    } catch (error) {
      const known = error instanceof ApiError ? error : translateDatabaseError(error);
      // A service failure says nothing about the item.
      if (!known || known.status >= 500) throw error;
      outcome.failed.push(refusalOf(item, existing ?? id, environmentId, known));
    }
  }

  /**
   * Of concurrent calls with the same new identifier, one creates the user and the others get that user: with two users
   * on one address, neither could sign in with it.
   */
  private async make(
    environmentId: EnvironmentId,
    user: BulkUserCreateItem & { id: string },
    { key, actor }: { key: IdentifierKey | null; actor: Actor },
    work: Work,
  ): Promise<Outcome['created'][number] | string> {
    if (!key) return this.creation.create(environmentId, user, actor, work);
    const alone: Work = {
      run: (unit) =>
        work.run(async (tx) => {
          await lockTenant(lockOf(key), environmentId, tx);
          const holder = await this.holderOf(environmentId, key, tx);
          if (holder) throw new MadeMeanwhile(holder);
          return unit(tx);
        }),
    };
    return this.creation.create(environmentId, user, actor, alone).catch((error: unknown) => {
      if (error instanceof MadeMeanwhile) return error.userId;
      throw error;
    });
  }

  private async update(
    environmentId: EnvironmentId,
    userId: string,
    item: BulkUserCreateItem,
    actor: Actor,
    work: Work,
  ): Promise<Outcome['updated'][number]> {
    const {
      email: _email,
      emailVerifiedAt: _verifiedAt,
      wallets: _wallets,
      oauthAccounts: _accounts,
      ...profile
    } = item;
    return work.run((tx) => this.users.changeProfile(environmentId, userId, profile, actor, tx));
  }

  private async holderOf(environmentId: EnvironmentId, key: IdentifierKey, tx: Transaction): Promise<string | null> {
    const { userId, candidates } = unambiguous(await this.claims.find(environmentId, key, tx));
    return userId ?? candidates[0] ?? null;
  }
}

/** Another call has created the user since the look-up found nobody. */
class MadeMeanwhile extends Error {
  override readonly name = 'MadeMeanwhile';

  constructor(readonly userId: string) {
    super('the user was made meanwhile');
  }
}

/** The identifier of an item; null if it always creates a new user. */
type KeyOfItem = (item: BulkUserCreateItem) => IdentifierKey | null;

const keyedBy =
  (connections: Connections): KeyOfItem =>
  ({ email, oauthAccounts }) => {
    if (email) return identifierKeyOf({ kind: 'email', value: email });
    const [account] = oauthAccounts ?? [];
    if (!account) return null;
    const { provider, accountId: value } = account;
    const connection = connections.get(provider);
    return identifierKeyOf({ kind: 'socialAccountId', value, provider, ...(connection && { connection }) });
  };

const lockOf = ({ kind, identifier }: IdentifierKey): string => `users of ${kind} ${identifier}`;

/** Empty for an item that fails anyway. */
function locksOf(item: BulkUserCreateItem, keyOf: KeyOfItem): string[] {
  try {
    const key = keyOf(item);
    return key ? [lockOf(key)] : [];
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}

function refusalOf(
  item: BulkUserCreateItem,
  id: string,
  environmentId: EnvironmentId,
  error: ApiError,
): BulkUserCreateResponseFailed {
  const {
    wallets: _wallets,
    oauthAccounts: _accounts,
    emailVerifiedAt: _verifiedAt,
    metadata: _metadata,
    privateMetadata: _private,
    ...profile
  } = item;
  const code = findRuleCode(error.code);
  return { user: { ...profile, id, projectEnvironmentId: environmentId }, error: error.message, ...(code && { code }) };
}
