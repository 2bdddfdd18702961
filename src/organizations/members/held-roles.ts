import { Injectable } from '@nestjs/common';
import { roleReaches, type OrganizationId, type Role } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import type { Transaction } from '../../database/index.js';
import type { Actor } from '../audit/actor.js';
import { OrganizationsRepository } from '../organizations.repository.js';
import { roleWithdrawn } from './member.errors.js';
import { MembersRepository } from './members.repository.js';

/**
 * The roles of members in a transaction that holds the lock on their organization, which they keep until it ends. Calls
 * wait for that lock, so the guard may have seen another role.
 */
@Injectable()
export class HeldRoles {
  constructor(
    private readonly members: MembersRepository,
    private readonly organizations: OrganizationsRepository,
  ) {}

  /**
   * Locks the organization, in which a member who acts must still have the role.
   * @returns the role of that member; null for any other actor
   * @throws as `get`
   */
  async hold(organizationId: OrganizationId, actor: Actor, least: Role, tx: Transaction): Promise<Role | null> {
    await this.organizations.lock(organizationId, tx);
    return actor.kind === 'dashboardUser' ? this.get(organizationId, actor.userId, least, tx) : null;
  }

  /** @throws notFound for a removed member, roleWithdrawn for one below `least` */
  async get(organizationId: OrganizationId, userId: string, least: Role, tx: Transaction): Promise<Role> {
    const [member] = await this.members.findAll(organizationId, userId, [], tx);
    if (!member) throw notFound();
    if (!roleReaches(member.role, least)) throw roleWithdrawn();
    return member.role;
  }
}
