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
   * @returns when the token of the call expires, which nothing that it makes outlives; null when there is none
   * @throws unauthorized for a token that is gone, notFound for a member who is, roleWithdrawn
   */
  async hold(
    { environmentId, organizationId }: { environmentId: EnvironmentId; organizationId: OrganizationId | null },
    actor: Actor,
    tx: Transaction,
  ): Promise<Date | null> {
    // Removals of members queue here as well, before they look for the tokens to delete.
    if (organizationId) await this.organizations.lock(organizationId, tx);
    if (actor.kind === 'environmentToken') return found(await this.tokens.hold(environmentId, actor.tokenId, tx));
    if (actor.kind !== 'dashboardUser') return null;
    const { userId, tokenId } = actor;
    if (organizationId) await this.assertMember(organizationId, userId, tx);
    if (tokenId === null) return null;
    return found(await this.personalTokens.hold(await this.console.idOn(tx), { userId, id: tokenId }, tx));
  }

  private async assertMember(organizationId: OrganizationId, userId: string, tx: Transaction): Promise<void> {
    const [member] = await this.members.findAll(organizationId, userId, [], tx);
    if (!member) throw notFound();
    if (!roleReaches(member.role, MAKER_ROLE)) throw roleWithdrawn();
  }
}

/** A token that is gone is refused as the guard refuses it from the next second on. */
function found(expiresAt: Date | null): Date {
  if (!expiresAt) throw unauthorized({ security: SecurityEvent.TokenRefused });
  return expiresAt;
}
