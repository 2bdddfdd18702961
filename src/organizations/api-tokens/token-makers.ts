import { Injectable } from '@nestjs/common';
import { roleReaches, type EnvironmentId, type OrganizationId, type Role } from '../../auth/index.js';
import { notFound, unauthorized } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';
import type { Transaction } from '../../database/index.js';
import type { Actor } from '../audit/actor.js';
import { ConsoleEnvironment } from '../environments/console-environment.js';
import { roleWithdrawn } from '../members/member.errors.js';
import { MembersRepository } from '../members/members.repository.js';
import { OrganizationDirectory } from '../organization-directory.js';
import { OrganizationsRepository } from '../organizations.repository.js';
import { owningScope } from '../tenant-scope.js';
import { ApiTokensRepository } from './api-tokens.repository.js';
import { PersonalTokensRepository } from './personal-tokens.repository.js';

/** The least role of members who make API tokens. */
export const MAKER_ROLE: Role = 'developer';
/** Of the service itself, and where there are no members. */
const TOP_ROLE: Role = 'owner';

/** What a new token must not go beyond. */
export interface MakersReach {
  /** When the token of the call expires; null when there is none. */
  until: Date | null;
  role: Role;
}

/**
 * Whoever makes a token is looked at again in its transaction: the token of a call may have been recognised a second ago,
 * and the membership before the call waited. What is made after that would outlast the removal, which takes away what
 * there is.
 */
@Injectable()
export class TokenMakers {
  constructor(
    private readonly directory: OrganizationDirectory,
    private readonly organizations: OrganizationsRepository,
    private readonly members: MembersRepository,
    private readonly tokens: ApiTokensRepository,
    private readonly personalTokens: PersonalTokensRepository,
    private readonly console: ConsoleEnvironment,
  ) {}

  /**
   * Whose environment it is; null for the console environment. Asked before the transaction: it may need a connection.
   *
   * @throws notFound
   */
  async organizationOf(environmentId: EnvironmentId): Promise<OrganizationId | null> {
    const environment = await this.directory.findEnvironment(environmentId);
    if (!environment) throw notFound();
    const { id, kind, organizationId } = environment;
    return organizationId === null ? null : owningScope({ id, kind, organizationId });
  }

  /**
   * Holds until the transaction ends what lets the caller make a token: nobody is removed and no token of theirs deleted
   * before that.
   *
   * @returns what the new token must not go beyond: the role of the maker, and when the token of the call expires
   * @throws unauthorized for a token that is gone, notFound for a member who is, roleWithdrawn
   */
  async hold(
    { environmentId, organizationId }: { environmentId: EnvironmentId; organizationId: OrganizationId | null },
    actor: Actor,
    tx: Transaction,
  ): Promise<MakersReach> {
    // Removals of members queue here as well, before they look for the tokens to delete.
    if (organizationId) await this.organizations.lock(organizationId, tx);
    if (actor.kind === 'environmentToken') {
      const { expiresAt: until, role } = found(await this.tokens.hold(environmentId, actor.tokenId, tx));
      return { until, role };
    }
    if (actor.kind !== 'dashboardUser') return { until: null, role: TOP_ROLE };
    const { userId, tokenId } = actor;
    const role = organizationId ? await this.roleOf(organizationId, userId, tx) : TOP_ROLE;
    if (tokenId === null) return { until: null, role };
    const until = found(await this.personalTokens.hold(await this.console.idOn(tx), { userId, id: tokenId }, tx));
    return { until, role };
  }

  private async roleOf(organizationId: OrganizationId, userId: string, tx: Transaction): Promise<Role> {
    const [member] = await this.members.findAll(organizationId, userId, [], tx);
    if (!member) throw notFound();
    if (!roleReaches(member.role, MAKER_ROLE)) throw roleWithdrawn();
    return member.role;
  }
}

/** A token that is gone is refused as the guard refuses it from the next second on. */
function found<T>(token: T | null): T {
  if (!token) throw unauthorized({ security: SecurityEvent.TokenRefused });
  return token;
}
