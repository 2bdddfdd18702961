import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { UnitOfWork } from '../../database/index.js';
import { EnvironmentsProvisioner } from '../environments-provisioner.js';
import { EnvironmentsRepository } from '../environments.repository.js';
import { PeopleDirectory } from '../people-directory.js';
import type { DashboardUserApiToken, EnvironmentApiToken, UserApiTokenCreateRequest } from './api-token.dto.js';
import { tooManyApiTokens } from './api-token.errors.js';
import { creatorsOf, describeToken } from './describe-tokens.js';
import { TOKEN_PREFIX, makeToken } from './opaque-token.js';
import { PersonalTokens } from './personal-tokens.js';
import { PersonalTokensRepository } from './personal-tokens.repository.js';

/** Tokens of members for their own programs. The console environment has no webhooks, so these changes raise no event. */
@Injectable()
export class PersonalTokensService {
  constructor(
    private readonly tokens: PersonalTokensRepository,
    private readonly environments: EnvironmentsRepository,
    private readonly provisioner: EnvironmentsProvisioner,
    private readonly presented: PersonalTokens,
    private readonly people: PeopleDirectory,
    private readonly work: UnitOfWork,
  ) {}

  async list(userId: string): Promise<{ tokens: EnvironmentApiToken[] }> {
    const environmentId = await this.provisioner.ensureConsole();
    const rows = await this.tokens.list(environmentId, userId);
    const people = await this.people.findPeople(creatorsOf(rows));
    return { tokens: rows.map((row) => describeToken(environmentId, row, people)) };
  }

  /** @throws tooManyApiTokens */
  async create(userId: string, request: UserApiTokenCreateRequest): Promise<{ token: DashboardUserApiToken }> {
    return { token: await this.mint(await this.provisioner.ensureConsole(), userId, request) };
  }

  /**
   * A new token that works for a year.
   *
   * @throws tooManyApiTokens
   */
  async mint(
    consoleEnvironmentId: EnvironmentId,
    userId: string,
    { note }: { note: string },
  ): Promise<DashboardUserApiToken> {
    const token = makeToken(TOKEN_PREFIX.personal);
    // Looked up first: once the token exists, nothing may keep its only appearance from the caller.
    const people = await this.people.findPeople([userId]);
    const row = await this.work.run(async (tx) => {
      await this.environments.lock(consoleEnvironmentId, tx);
      const made = await this.tokens.insert(consoleEnvironmentId, { id: newId(), userId, token, note }, tx);
      if (!made) throw tooManyApiTokens();
      return made;
    });
    return { ...describeToken(consoleEnvironmentId, row, people), rawToken: token.raw, active: true };
  }

  /** @throws notFound for tokens of others as for unknown ones */
  async delete(userId: string, tokenId: string): Promise<void> {
    const hash = await this.tokens.delete(await this.provisioner.ensureConsole(), userId, tokenId);
    if (!hash) throw notFound();
    this.presented.forget(hash);
  }
}
