import { Injectable } from '@nestjs/common';
import { ApiError, payloadTooLarge } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { translateDatabaseError, type EnvironmentId, type Work } from '../../database/index.js';
import type { Actor } from '../../organizations/index.js';
import { IdentifierClaimsRepository } from '../credentials/identifier-claims.repository.js';
import { identifierKeyOf, type Identifier } from '../credentials/identifier-key.js';
import { findRuleCode } from '../vocabulary/rule-codes.js';
import type { BulkUserCreateResponse, BulkUserCreateResponseFailed } from './bulk-users.dto.js';
import { UserCreation } from './user-creation.js';
import type { BulkUserCreateItem } from './user-request.dto.js';
import { unambiguous } from './user-identities.js';
import { UsersService } from './users.service.js';

/** What one user may take of a bulk request: as much as a request for one. */
const MAX_ITEM_BYTES = 100 * 1024;

type Outcome = Required<BulkUserCreateResponse>;

/** Creates many users; each succeeds or fails for itself. */
@Injectable()
export class BulkUsersService {
  constructor(
    private readonly creation: UserCreation,
    private readonly users: UsersService,
    private readonly claims: IdentifierClaimsRepository,
  ) {}

  /** @param upsert change the profile of the user who has the item's email, or its first social account, already */
  async create(
    environmentId: EnvironmentId,
    items: readonly BulkUserCreateItem[],
    upsert: boolean,
    actor: Actor,
    work: Work,
  ): Promise<BulkUserCreateResponse> {
    const outcome: Outcome = { created: [], updated: [], failed: [], total: items.length };
    // One after the other: a later item may update the user of an earlier one.
    for (const item of items) await this.store(environmentId, item, { upsert, actor }, outcome, work);
    return outcome;
  }

  private async store(
    environmentId: EnvironmentId,
    item: BulkUserCreateItem,
    { upsert, actor }: { upsert: boolean; actor: Actor },
    outcome: Outcome,
    work: Work,
  ): Promise<void> {
    const id = newId();
    let existing: string | null = null;
    try {
      if (Buffer.byteLength(JSON.stringify(item)) > MAX_ITEM_BYTES) throw payloadTooLarge();
      existing = upsert ? await this.findHolder(environmentId, item, work) : null;
      if (existing) outcome.updated.push(await this.update(environmentId, existing, item, actor, work));
      else outcome.created.push(await this.creation.create(environmentId, { ...item, id }, actor, work));
    } catch (error) {
      const known = error instanceof ApiError ? error : translateDatabaseError(error);
      // A fault of the service is no statement about the item.
      if (!known || known.status >= 500) throw error;
      outcome.failed.push(refusalOf(item, existing ?? id, environmentId, known));
    }
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
    return work.run((tx) => this.users.change(environmentId, userId, profile, null, tx, actor));
  }

  private async findHolder(environmentId: EnvironmentId, item: BulkUserCreateItem, work: Work): Promise<string | null> {
    const identifier = identifierOf(item);
    if (!identifier) return null;
    const { userId, candidates } = unambiguous(
      await work.run((tx) => this.claims.find(environmentId, identifierKeyOf(identifier), tx)),
    );
    return userId ?? candidates[0] ?? null;
  }
}

function identifierOf({
  email,
  oauthAccounts,
}: BulkUserCreateItem): (Identifier & { kind: 'email' | 'socialAccountId' }) | null {
  if (email) return { kind: 'email', value: email };
  const [account] = oauthAccounts ?? [];
  return account ? { kind: 'socialAccountId', value: account.accountId, provider: account.provider } : null;
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
