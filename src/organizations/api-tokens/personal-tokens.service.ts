import { Injectable } from '@nestjs/common';
import { assertMemberFactor, type DashboardUserPrincipal, type EnvironmentId } from '../../auth/index.js';
import { notFound, unauthorized } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { UnitOfWork, type Transaction, type Work } from '../../database/index.js';
import { SERVICE, type Actor } from '../audit/actor.js';
import { ChangeLog } from '../change-log.js';
import { EnvironmentsProvisioner } from '../environments/environments-provisioner.js';
import { EnvironmentsRepository } from '../environments/environments.repository.js';
import { PeopleDirectory } from '../members/people-directory.js';
import { MfaSettingsService } from '../mfa/mfa-settings.service.js';
import type { DashboardUserApiToken, EnvironmentApiToken, UserApiTokenCreateRequest } from './api-token.dto.js';
import { tooManyApiTokens } from './api-token.errors.js';
import { PERSONAL_TOKEN_CREATED, PERSONAL_TOKEN_DELETED } from './api-token.events.js';
import { creatorsOf, describeToken } from './describe-tokens.js';
import { TOKEN_PREFIX, makeToken } from './opaque-token.js';
import { PersonalTokens } from './personal-tokens.js';
import { PersonalTokensRepository, type PersonalTokenRow } from './personal-tokens.repository.js';

/** Personal tokens of members for their own programs. They belong to the person, not to an organization. */
@Injectable()
export class PersonalTokensService {
  constructor(
    private readonly tokens: PersonalTokensRepository,
    private readonly environments: EnvironmentsRepository,
    private readonly provisioner: EnvironmentsProvisioner,
    private readonly presented: PersonalTokens,
    private readonly people: PeopleDirectory,
    private readonly factors: MfaSettingsService,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  async list(userId: string): Promise<{ tokens: EnvironmentApiToken[] }> {
    const environmentId = await this.provisioner.ensureConsole();
    const rows = await this.tokens.list(environmentId, userId);
    const people = await this.people.findPeople(creatorsOf(rows));
    return { tokens: rows.map((row) => describeToken(environmentId, row, people)) };
  }

  /**
   * Calls made with the token are not asked for a second factor, so creating it is.
   *
   * @throws memberFactorRequired, tooManyApiTokens, unauthorized when the person has just been deleted
   */
  async create(
    caller: DashboardUserPrincipal,
    request: UserApiTokenCreateRequest,
    work: Work,
  ): Promise<{ token: DashboardUserApiToken }> {
    for (const admitted of await this.factors.listAsked(caller.userId)) assertMemberFactor(caller, admitted);
    return { token: await this.make(await this.provisioner.ensureConsole(), caller.userId, request, caller, work) };
  }

  /**
   * A new token valid for a year. For programs: runs in a transaction of its own.
   *
   * @throws tooManyApiTokens, unauthorized when there is no such person
   */
  mint(
    consoleEnvironmentId: EnvironmentId,
    userId: string,
    request: { note: string },
    actor: Actor = SERVICE,
  ): Promise<DashboardUserApiToken> {
    return this.make(consoleEnvironmentId, userId, request, actor, this.work);
  }

  private async make(
    consoleEnvironmentId: EnvironmentId,
    userId: string,
    { note }: { note: string },
    actor: Actor,
    work: Work,
  ): Promise<DashboardUserApiToken> {
    const token = makeToken(TOKEN_PREFIX.personal);
    // Looked up first: once the token exists, nothing may fail before the caller has seen it.
    const people = await this.people.findPeople([userId]);
    const row = await work.run(async (tx) => {
      // Whoever deletes the person meanwhile waits, and then finds the token.
      if (!(await this.people.lockPerson(userId, tx))) throw unauthorized();
      await this.environments.lock(consoleEnvironmentId, tx);
      const made = await this.tokens.insert(consoleEnvironmentId, { id: newId(), userId, token, note }, tx);
      if (!made) throw tooManyApiTokens();
      const change = { event: PERSONAL_TOKEN_CREATED, resource: resourceOf(made), before: null, after: audited(made) };
      await this.changes.record({ scope: { environmentId: consoleEnvironmentId }, actor, ...change }, tx);
      return made;
    });
    return { ...describeToken(consoleEnvironmentId, row, people), rawToken: token.raw, active: true };
  }

  /** @throws notFound for other people's tokens as for unknown ones */
  async delete(caller: DashboardUserPrincipal, tokenId: string): Promise<void> {
    const environmentId = await this.provisioner.ensureConsole();
    const deleted = await this.work.run(async (tx) => {
      const row = await this.tokens.delete(environmentId, caller.userId, tokenId, tx);
      if (!row) throw notFound();
      await this.recordDeletion(environmentId, row, caller, tx);
      return row;
    });
    this.presented.forget(deleted.tokenHash);
  }

  /** Deletes the tokens of a person who is deleted in the same transaction. */
  async deleteAllOf(environmentId: EnvironmentId, userId: string, actor: Actor, tx: Transaction): Promise<void> {
    const deleted = await this.tokens.deleteAll(environmentId, userId, tx);
    for (const row of deleted) await this.recordDeletion(environmentId, row, actor, tx);
    tx.afterCommit(() => deleted.forEach(({ tokenHash }) => this.presented.forget(tokenHash)));
  }

  private recordDeletion(
    environmentId: EnvironmentId,
    row: PersonalTokenRow,
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    const before = audited(row);
    const change = { event: PERSONAL_TOKEN_DELETED, resource: resourceOf(row), before, after: null, data: before };
    return this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
  }
}

const resourceOf = ({ id }: PersonalTokenRow) => ({ type: 'personalToken', id });

/** What an event shows of a token: nothing of its value but the checksum. */
const audited = ({ id, checksum, note, createdBy, createdAt }: PersonalTokenRow): object => ({
  ...{ id, checksum, note, createdAt },
  createdBy: { id: createdBy },
});
