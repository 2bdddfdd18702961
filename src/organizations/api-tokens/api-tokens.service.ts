import { Injectable } from '@nestjs/common';
import type { DashboardPrincipal, EnvironmentId, TokenScope } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { Outbox, UnitOfWork, type EventDefinition, type Transaction } from '../../database/index.js';
import { EnvironmentsRepository } from '../environments.repository.js';
import { PeopleDirectory } from '../people-directory.js';
import type { EnvironmentApiToken, EnvironmentApiTokenWithRaw, PostTokenFields } from './api-token.dto.js';
import { tooManyApiTokens } from './api-token.errors.js';
import { API_TOKEN_CREATED, API_TOKEN_DELETED } from './api-token.events.js';
import { ApiTokensRepository, type ApiTokenRow } from './api-tokens.repository.js';
import { creatorsOf, describeToken } from './describe-tokens.js';
import { EnvironmentTokens } from './environment-tokens.js';
import { grantableScopes } from './grantable-scopes.js';
import { TOKEN_PREFIX, makeToken } from './opaque-token.js';

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
    private readonly environments: EnvironmentsRepository,
    private readonly presented: EnvironmentTokens,
    private readonly people: PeopleDirectory,
    private readonly outbox: Outbox,
    private readonly work: UnitOfWork,
  ) {}

  async list(environmentId: EnvironmentId): Promise<{ tokens: EnvironmentApiToken[] }> {
    const rows = await this.tokens.list(environmentId);
    const people = await this.people.findPeople(creatorsOf(rows));
    return { tokens: rows.map((row) => describeToken(environmentId, row, people)) };
  }

  /** @throws invalidScopes, tooManyApiTokens */
  async create(
    environmentId: EnvironmentId,
    caller: DashboardPrincipal,
    { note, scopes }: PostTokenFields,
  ): Promise<{ token: EnvironmentApiTokenWithRaw }> {
    const createdBy = caller.kind === 'environmentToken' ? caller.createdBy : caller.userId;
    return { token: await this.mint(environmentId, { note, scopes: grantableScopes(scopes, caller), createdBy }) };
  }

  /**
   * A new token that works for a year. The caller has decided that its scopes are right.
   *
   * @throws tooManyApiTokens
   */
  async mint(environmentId: EnvironmentId, request: NewApiToken): Promise<EnvironmentApiTokenWithRaw> {
    const token = makeToken(TOKEN_PREFIX.environment);
    // Looked up first: once the token exists, nothing may keep its only appearance from the caller.
    const people = await this.people.findPeople([request.createdBy]);
    const row = await this.work.run(async (tx) => {
      await this.environments.lock(environmentId, tx);
      const made = await this.tokens.insert(environmentId, { ...request, id: newId(), token }, tx);
      if (!made) throw tooManyApiTokens();
      await this.tell(environmentId, API_TOKEN_CREATED, made, tx);
      return made;
    });
    return { ...describeToken(environmentId, row, people), rawToken: token.raw, active: true };
  }

  /** @throws notFound */
  async delete(environmentId: EnvironmentId, tokenId: string): Promise<void> {
    const deleted = await this.work.run(async (tx) => {
      const row = await this.tokens.delete(environmentId, tokenId, tx);
      if (!row) throw notFound();
      await this.tell(environmentId, API_TOKEN_DELETED, row, tx);
      return row;
    });
    this.presented.forget(deleted.tokenHash);
  }

  private tell(environmentId: EnvironmentId, event: EventDefinition, row: ApiTokenRow, tx: Transaction): Promise<void> {
    const { id, checksum, note, scopes, createdBy, createdAt } = row;
    const data = {
      id,
      checksum,
      note,
      scopes,
      createdBy: { id: createdBy },
      createdAt,
      projectEnvironmentId: environmentId,
    };
    return this.outbox.append(environmentId, [{ event, resourceId: id, data }], tx);
  }
}
