import { Injectable } from '@nestjs/common';
import type { DashboardPrincipal, EnvironmentId, TokenScope } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { UnitOfWork } from '../../database/index.js';
import { SERVICE, type Actor } from '../audit/actor.js';
import { ChangeLog } from '../change-log.js';
import { EnvironmentsRepository } from '../environments/environments.repository.js';
import { PeopleDirectory } from '../members/people-directory.js';
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
    private readonly changes: ChangeLog,
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
    const request = { note, scopes: grantableScopes(scopes, caller), createdBy };
    return { token: await this.mint(environmentId, request, caller) };
  }

  /**
   * A new token that works for a year. The caller has decided that its scopes are right.
   *
   * @throws tooManyApiTokens
   */
  async mint(
    environmentId: EnvironmentId,
    request: NewApiToken,
    actor: Actor = SERVICE,
  ): Promise<EnvironmentApiTokenWithRaw> {
    const token = makeToken(TOKEN_PREFIX.environment);
    // Looked up first: once the token exists, nothing may keep its only appearance from the caller.
    const people = await this.people.findPeople([request.createdBy]);
    const row = await this.work.run(async (tx) => {
      await this.environments.lock(environmentId, tx);
      const made = await this.tokens.insert(environmentId, { ...request, id: newId(), token }, tx);
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
      const before = audited(environmentId, row);
      const change = { event: API_TOKEN_DELETED, resource: resourceOf(row), before, after: null, data: before };
      await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
      return row;
    });
    this.presented.forget(deleted.tokenHash);
  }
}

const resourceOf = ({ id }: ApiTokenRow) => ({ type: 'apiToken', id });

/** What records and events say of a token: never a part of it but the checksum. */
function audited(environmentId: EnvironmentId, row: ApiTokenRow): object {
  const { id, checksum, note, scopes, createdBy, createdAt } = row;
  return { id, checksum, note, scopes, createdBy: { id: createdBy }, createdAt, projectEnvironmentId: environmentId };
}
