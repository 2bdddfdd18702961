import { Injectable } from '@nestjs/common';
import type { DashboardUserPrincipal, OrganizationId, Role } from '../../auth/index.js';
import { forbidden, notFound } from '../../common/errors/index.js';
import { isUuid } from '../../common/ids.js';
import { UnitOfWork, type EventDefinition, type Transaction } from '../../database/index.js';
import { ChangeLog } from '../change-log.js';
import { EnvironmentsProvisioner } from '../environments/environments-provisioner.js';
import { assertMayManage } from './member-rules.js';
import type { DelegateOwnershipRequest, MemberRoleField, OrganizationMember } from './member.dto.js';
import { invalidDelegation, lastOwner, membersCannotDeleteThemself } from './member.errors.js';
import { MEMBER_REMOVED, MEMBER_UPDATED } from './member.events.js';
import { MembersRepository, type MemberRow } from './members.repository.js';
import { OrganizationsRepository } from '../organizations.repository.js';
import { PeopleDirectory } from './people-directory.js';

/**
 * Who belongs to an organization, in which role. Changes queue for the row of the organization and look at the caller's
 * own role again once they have it: what the guard saw may have changed while they waited.
 */
@Injectable()
export class MembersService {
  constructor(
    private readonly members: MembersRepository,
    private readonly organizations: OrganizationsRepository,
    private readonly people: PeopleDirectory,
    private readonly provisioner: EnvironmentsProvisioner,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
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
      return this.change(organizationId, member, becomes, caller, tx);
    });
    const [member] = await this.describe([updated]);
    return { member };
  }

  /** @throws membersCannotDeleteThemself, forbidden, lastOwner */
  async remove(organizationId: OrganizationId, memberId: string, caller: DashboardUserPrincipal): Promise<void> {
    await this.work.run(async (tx) => {
      const { actor, member } = await this.lock(organizationId, caller, memberId, tx);
      if (member.id === actor.id) throw membersCannotDeleteThemself();
      assertMayManage(actor.role, member.role, null);
      if (member.role === 'owner') await this.assertAnotherOwner(organizationId, tx);
      await this.members.delete(organizationId, { id: memberId }, tx);
      await this.record(organizationId, MEMBER_REMOVED, { before: member, after: null }, caller, tx);
    });
  }

  /**
   * An owner and an admin change places.
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
      if (actor.role !== 'owner') throw forbidden({ hint: `Your role is ${actor.role}; this needs owner.` });
      if (member.role !== 'owner' || heir.role !== 'admin') throw invalidDelegation();
      await this.change(organizationId, heir, 'owner', caller, tx);
      await this.change(organizationId, member, 'admin', caller, tx);
    });
  }

  /** The member named and the caller's own membership, which nobody changes until the transaction ends. */
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

  private async change(
    organizationId: OrganizationId,
    member: MemberRow,
    role: Role,
    caller: DashboardUserPrincipal,
    tx: Transaction,
  ): Promise<MemberRow> {
    const after = { ...member, role };
    await this.members.update(organizationId, { id: member.id }, { role }, tx);
    await this.record(organizationId, MEMBER_UPDATED, { before: member, after }, caller, tx);
    return after;
  }

  private record(
    organizationId: OrganizationId,
    event: EventDefinition,
    { before, after }: { before: MemberRow; after: MemberRow | null },
    actor: DashboardUserPrincipal,
    tx: Transaction,
  ): Promise<void> {
    const resource = { type: 'member', id: before.id };
    const change = { event, resource, before, after, ...(!after && { data: before }) };
    return this.changes.record({ scope: { organizationId }, actor, ...change }, tx);
  }

  /** Names come in one statement, however many members. Of a person who is gone, the id remains. */
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
