import { Injectable } from '@nestjs/common';
import type { DashboardUserPrincipal, OrganizationId } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { isUuid } from '../../common/ids.js';
import { UnitOfWork, type Transaction } from '../../database/index.js';
import { EnvironmentsProvisioner } from '../environments/environments-provisioner.js';
import { InviteRecords } from '../invites/invite-records.js';
import { MemberChanges } from './member-changes.js';
import { assertMayManage } from './member-rules.js';
import type { DelegateOwnershipRequest, DeleteMemberQuery, MemberRoleField, OrganizationMember } from './member.dto.js';
import { invalidDelegation, lastOwner, membersCannotDeleteThemself, roleWithdrawn } from './member.errors.js';
import { MembersRepository, type MemberRow } from './members.repository.js';
import { OrganizationsRepository } from '../organizations.repository.js';
import { PeopleDirectory } from './people-directory.js';

/**
 * The members of an organization and their roles. Changes lock the organization's row and then check the caller's own
 * role again: it may have changed since the guard saw it.
 */
@Injectable()
export class MembersService {
  constructor(
    private readonly members: MembersRepository,
    private readonly organizations: OrganizationsRepository,
    private readonly people: PeopleDirectory,
    private readonly provisioner: EnvironmentsProvisioner,
    private readonly work: UnitOfWork,
    private readonly changes: MemberChanges,
    private readonly invites: InviteRecords,
  ) {}

  async list(organizationId: OrganizationId): Promise<{ count: number; members: OrganizationMember[] }> {
    const members = await this.describe(await this.members.listAll(organizationId));
    return { count: members.length, members };
  }

  /** @throws forbidden, lastOwner */
  async updateRole(
    organizationId: OrganizationId,
    memberId: string,
    { role }: MemberRoleField,
    caller: DashboardUserPrincipal,
  ): Promise<{ member?: OrganizationMember }> {
    const updated = await this.work.run(async (tx) => {
      const { actor, member } = await this.lock(organizationId, caller, memberId, tx);
      const becomes = role ?? member.role;
      assertMayManage(actor.role, member.role, becomes);
      if (becomes === member.role) return member;
      if (member.role === 'owner') await this.assertAnotherOwner(organizationId, tx);
      return this.changes.giveRole(organizationId, member, becomes, caller, tx);
    });
    const [member] = await this.describe([updated]);
    return { member };
  }

  /** @throws membersCannotDeleteThemself, forbidden */
  async remove(
    organizationId: OrganizationId,
    memberId: string,
    { tokens }: DeleteMemberQuery,
    caller: DashboardUserPrincipal,
  ): Promise<void> {
    await this.work.run(async (tx) => {
      const { actor, member } = await this.lock(organizationId, caller, memberId, tx);
      if (member.id === actor.id) throw membersCannotDeleteThemself();
      // Only an owner removes an owner, and nobody themself: the caller is the owner who remains.
      assertMayManage(actor.role, member.role, null);
      await this.changes.remove(organizationId, member, { actor: caller, keepsTokens: tokens === 'keep' }, tx);
      await this.invites.removeOf(organizationId, member.userId, caller, tx);
    });
  }

  /**
   * Swaps the roles of an owner and an admin.
   *
   * @throws forbidden, invalidDelegation
   */
  async delegateOwnership(
    organizationId: OrganizationId,
    memberId: string,
    { adminMemberIdToDelegate }: DelegateOwnershipRequest,
    caller: DashboardUserPrincipal,
  ): Promise<void> {
    if (!isUuid(adminMemberIdToDelegate)) throw notFound();
    await this.work.run(async (tx) => {
      const heirId = adminMemberIdToDelegate.toLowerCase();
      const { actor, member, others } = await this.lock(organizationId, caller, memberId, tx, heirId);
      const heir = others.find(({ id }) => id === heirId);
      if (!heir) throw notFound();
      if (actor.role !== 'owner') throw roleWithdrawn();
      if (member.role !== 'owner' || heir.role !== 'admin') throw invalidDelegation();
      await this.changes.giveRole(organizationId, heir, 'owner', caller, tx);
      await this.changes.giveRole(organizationId, member, 'admin', caller, tx);
    });
  }

  /** The given member and the caller's own membership, locked until the transaction ends. */
  private async lock(
    organizationId: OrganizationId,
    { userId }: DashboardUserPrincipal,
    memberId: string,
    tx: Transaction,
    ...more: string[]
  ): Promise<{ actor: MemberRow; member: MemberRow; others: MemberRow[] }> {
    await this.organizations.lock(organizationId, tx);
    const others = await this.members.findAll(organizationId, userId, [memberId, ...more], tx);
    const actor = others.find((each) => each.userId === userId);
    const member = others.find(({ id }) => id === memberId);
    if (!actor || !member) throw notFound();
    return { actor, member, others };
  }

  private async assertAnotherOwner(organizationId: OrganizationId, tx: Transaction): Promise<void> {
    if ((await this.members.countOwners(organizationId, tx)) < 2) throw lastOwner();
  }

  /** Names are loaded in one statement. For a deleted person, only the id remains. */
  private async describe(rows: readonly MemberRow[]): Promise<OrganizationMember[]> {
    const projectEnvironmentId = await this.provisioner.ensureConsole();
    const people = await this.people.findPeople(rows.map(({ userId }) => userId));
    return rows.map(({ id, userId, role }) => ({
      id,
      role,
      user: { ...(people.get(userId) ?? { id: userId }), projectEnvironmentId },
    }));
  }
}
