import { Injectable } from '@nestjs/common';
import type { DashboardPrincipal, EnvironmentId, OrganizationId, Role, TokenScope } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { UnitOfWork, type Transaction, type Work } from '../../database/index.js';
import { SERVICE, type Actor } from '../audit/actor.js';
import { ChangeLog } from '../change-log.js';
import { EnvironmentsRepository } from '../environments/environments.repository.js';
import { PeopleDirectory } from '../members/people-directory.js';
import type { EnvironmentApiToken, EnvironmentApiTokenWithRaw, PostTokenFields } from './api-token.dto.js';
import { tooManyApiTokens } from './api-token.errors.js';
import { API_TOKEN_CREATED, API_TOKEN_DELETED } from './api-token.events.js';
import { ApiTokensRepository, type ApiTokenRow, type LiveApiToken } from './api-tokens.repository.js';
import { creatorsOf, describeToken } from './describe-tokens.js';
import { EnvironmentTokens } from './environment-tokens.js';
import { grantableScopes } from './grantable-scopes.js';
import { madeTokenScope } from '../tenant-scope.js';
import { TOKEN_PREFIX, makeToken } from './opaque-token.js';
import { TokenMakers } from './token-makers.js';

interface NewApiToken {
  note: string;
  scopes: readonly TokenScope[];
  /** A user of the console environment. */
  createdBy: string;
}

@Injectable()
export class ApiTokensService {
  constructor(
    private readonly tokens: ApiTokensRepository,
    private readonly makers: TokenMakers,
    private readonly environments: EnvironmentsRepository,
    private readonly presented: EnvironmentTokens,
    private readonly people: PeopleDirectory,
    private readonly changes: ChangeLog,
    private readonly work: UnitOfWork,
  ) {}

  async list(environmentId: EnvironmentId): Promise<{ tokens: EnvironmentApiToken[] }> {
    const rows = await this.tokens.list(environmentId);
    const people = await this.people.findPeople(creatorsOf(rows));
    return { tokens: rows.map((row) => describeToken(environmentId, row, people)) };
  }

  /** The token's current state; null once deleted or expired. For credentials that were issued in exchange for it. */
  findLive(environmentId: EnvironmentId, tokenId: string): Promise<LiveApiToken | null> {
    return this.tokens.findLive(environmentId, tokenId);
  }

  /** @throws invalidScopes, tooManyApiTokens, and whatever TokenMakers throws */
  async create(
    environmentId: EnvironmentId,
    caller: DashboardPrincipal,
    { note, scopes }: PostTokenFields,
    work: Work,
  ): Promise<{ token: EnvironmentApiTokenWithRaw }> {
    const createdBy = caller.kind === 'environmentToken' ? caller.createdBy : caller.userId;
    const request = { note, scopes: grantableScopes(scopes, caller), createdBy };
    return { token: await this.make(environmentId, request, caller, work) };
  }

  /**
   * A new token valid for a year, but no longer than the token that created it. The caller has already checked its
   * scopes. For programs: runs in a transaction of its own.
   *
   * @throws tooManyApiTokens, and whatever TokenMakers throws
   */
  mint(
    environmentId: EnvironmentId,
    request: NewApiToken,
    actor: Actor = SERVICE,
  ): Promise<EnvironmentApiTokenWithRaw> {
    return this.make(environmentId, request, actor, this.work);
  }

  private async make(
    environmentId: EnvironmentId,
    request: NewApiToken,
    actor: Actor,
    work: Work,
  ): Promise<EnvironmentApiTokenWithRaw> {
    const token = makeToken(TOKEN_PREFIX.environment);
    // Looked up first: once the token exists, nothing may fail before the caller has seen it.
    const people = await this.people.findPeople([request.createdBy]);
    const organizationId = await this.makers.organizationOf(environmentId);
    const row = await work.run(async (tx) => {
      const reach = await this.makers.hold({ environmentId, organizationId }, actor, tx);
      await this.environments.lock(environmentId, tx);
      const made = await this.tokens.insert(environmentId, { ...request, ...reach, id: newId(), token }, tx);
      if (!made) throw tooManyApiTokens();
      const after = audited(environmentId, made);
      const change = { event: API_TOKEN_CREATED, resource: resourceOf(made), before: null, after };
      await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
      return made;
    });
    return { ...describeToken(environmentId, row, people), rawToken: token.raw, active: true };
  }

  /** @throws notFound */
  async delete(environmentId: EnvironmentId, tokenId: string, actor: Actor): Promise<void> {
    const deleted = await this.work.run(async (tx) => {
      const row = await this.tokens.delete(environmentId, tokenId, tx);
      if (!row) throw notFound();
      await this.recordDeletion(environmentId, row, actor, tx);
      return row;
    });
    this.presented.forget(deleted.tokenHash);
  }

  /** Deletes the tokens of somebody who leaves the organization; what they were used for stops within a second. */
  async deleteMadeBy(organizationId: OrganizationId, userId: string, actor: Actor, tx: Transaction): Promise<void> {
    const deleted = await this.tokens.deleteMadeBy(organizationId, userId, tx);
    for (const row of deleted) await this.recordDeletion(madeTokenScope(row), row, actor, tx);
    tx.afterCommit(() => deleted.forEach(({ tokenHash }) => this.presented.forget(tokenHash)));
  }

  /** Caps the tokens of a demoted member at the new role, within a second. */
  async lowerMadeBy(organizationId: OrganizationId, userId: string, role: Role, tx: Transaction): Promise<void> {
    const lowered = await this.tokens.lowerMadeBy(organizationId, userId, role, tx);
    tx.afterCommit(() => lowered.forEach((hash) => this.presented.forget(hash)));
  }

  private recordDeletion(environmentId: EnvironmentId, row: ApiTokenRow, actor: Actor, tx: Transaction): Promise<void> {
    const before = audited(environmentId, row);
    const change = { event: API_TOKEN_DELETED, resource: resourceOf(row), before, after: null, data: before };
    return this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
  }
}

const resourceOf = ({ id }: ApiTokenRow) => ({ type: 'apiToken', id });

/** What records and events show of a token: nothing of its value but the checksum. */
function audited(environmentId: EnvironmentId, row: ApiTokenRow): object {
  const { id, checksum, note, scopes, createdBy, createdAt } = row;
  return { id, checksum, note, scopes, createdBy: { id: createdBy }, createdAt, projectEnvironmentId: environmentId };
}
