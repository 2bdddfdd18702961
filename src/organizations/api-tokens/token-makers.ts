import { Injectable } from '@nestjs/common';
import type { EnvironmentId, OrganizationId, Role } from '../../auth/index.js';
import { notFound, unauthorized } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';
import type { Transaction } from '../../database/index.js';
import type { Actor } from '../audit/actor.js';
import { ConsoleEnvironment } from '../environments/console-environment.js';
import { HeldRoles } from '../members/held-roles.js';
import { OrganizationDirectory } from '../organization-directory.js';
import { OrganizationsRepository } from '../organizations.repository.js';
import { owningScope } from '../tenant-scope.js';
import { ApiTokensRepository } from './api-tokens.repository.js';
import { PersonalTokensRepository } from './personal-tokens.repository.js';

/** The minimum role of members who may create API tokens. */
export const MAKER_ROLE: Role = 'developer';
/** For the service itself, and where there are no members. */
const TOP_ROLE: Role = 'owner';

/** The limits on a new token. */
export interface MakersReach {
  /** When the calling token expires; null for a caller without one. */
  until: Date | null;
  role: Role;
}

/**
 * Checks the creator of a token again inside its transaction: the calling token may have been recognised a second ago,
 * and the membership checked before the call waited for a lock. A token created after a removal would outlive it, as
 * removals delete only the tokens that exist.
 */
@Injectable()
export class TokenMakers {
  constructor(
    private readonly directory: OrganizationDirectory,
    private readonly organizations: OrganizationsRepository,
    private readonly roles: HeldRoles,
    private readonly tokens: ApiTokensRepository,
    private readonly personalTokens: PersonalTokensRepository,
    private readonly console: ConsoleEnvironment,
  ) {}

  /**
   * The owning organization; null for the console environment. Call before the transaction: it may need a connection.
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
   * Locks what entitles the caller to create a token until the transaction ends: until then, no member is removed and
   * the calling token is not deleted.
   *
   * @returns the limits on the new token: the creator's role, and the expiry of the calling token
   * @throws unauthorized for a deleted token, notFound for a removed member, roleWithdrawn
   */
  async hold(
    { environmentId, organizationId }: { environmentId: EnvironmentId; organizationId: OrganizationId | null },
    actor: Actor,
    tx: Transaction,
  ): Promise<MakersReach> {
    // Member removals take the same lock before they look for tokens to delete.
    if (organizationId) await this.organizations.lock(organizationId, tx);
    if (actor.kind === 'environmentToken') {
      const { expiresAt: until, role } = found(await this.tokens.hold(environmentId, actor.tokenId, tx));
      return { until, role };
    }
    if (actor.kind !== 'dashboardUser') return { until: null, role: TOP_ROLE };
    const { userId, tokenId } = actor;
    const role = organizationId ? await this.roles.get(organizationId, userId, MAKER_ROLE, tx) : TOP_ROLE;
    if (tokenId === null) return { until: null, role };
    const until = found(await this.personalTokens.hold(await this.console.idOn(tx), { userId, id: tokenId }, tx));
    return { until, role };
  }
}

/** A deleted token is refused just as the guard will refuse it within a second. */
function found<T>(token: T | null): T {
  if (!token) throw unauthorized({ security: SecurityEvent.TokenRefused });
  return token;
}
