import { Injectable } from '@nestjs/common';
import { ROLES, roleReaches, type DashboardUserPrincipal, type OrganizationId, type Role } from '../../auth/index.js';
import { forbidden } from '../../common/errors/index.js';
import { UnitOfWork, type Transaction } from '../../database/index.js';
import type { Actor, SERVICE } from '../audit/actor.js';
import { ChangeLog } from '../change-log.js';
import { HeldRoles } from '../members/held-roles.js';
import { PeopleDirectory } from '../members/people-directory.js';
import { describeInvites, invitersOf, publishedInvite, recordedInvite } from './describe-invites.js';
import type { InvitesResponse } from './invite.dto.js';
import { inviteExists, tooManyInvites } from './invite.errors.js';
import { INVITE_CREATED, INVITE_DELETED } from './invite.events.js';
import { InvitesRepository, type AnsweredInvite, type NewInvite } from './invites.repository.js';
import { Mailboxes } from './mailboxes.js';

/** The invites of an organization, with their audit records and events. */
@Injectable()
export class InviteRecords {
  constructor(
    private readonly invites: InvitesRepository,
    private readonly people: PeopleDirectory,
    private readonly mailboxes: Mailboxes,
    private readonly roles: HeldRoles,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  async list(organizationId: OrganizationId): Promise<InvitesResponse> {
    const rows = await this.invites.listAll(organizationId);
    return describeInvites(rows, await this.people.findPeople(invitersOf(rows)));
  }

  /** @throws inviteExists, tooManyInvites, roleWithdrawn, forbidden for a role above the caller's own */
  async store(organizationId: OrganizationId, invite: NewInvite, actor: DashboardUserPrincipal): Promise<void> {
    await this.work.run(async (tx) => {
      const role = await this.roles.hold(organizationId, actor, 'admin', tx);
      if (role) assertMayGive(role, invite.role);
      await this.invites.makeRoom(organizationId, invite.email, ROLES.values, tx);
      if (!(await this.invites.insertWithin(organizationId, invite, tx))) {
        const open = { email: invite.email, status: 'pending' } as const;
        throw (await this.invites.find(organizationId, open, tx)) ? inviteExists() : tooManyInvites();
      }
      const made = { ...invite, status: 'pending' } as const;
      const [after, data] = [recordedInvite(made), publishedInvite(made)];
      const change = { event: INVITE_CREATED, resource: { type: 'invite', id: invite.id }, before: null, after, data };
      await this.changes.record({ scope: { organizationId }, actor, ...change }, tx);
    });
  }

  /** Marks the email as handed over. */
  async markSent(organizationId: OrganizationId, id: string): Promise<void> {
    await this.invites.markSent(organizationId, id);
  }

  /** False for an invite that no longer exists or was accepted. @throws roleWithdrawn, forbidden */
  remove(organizationId: OrganizationId, id: string, actor: DashboardUserPrincipal | typeof SERVICE): Promise<boolean> {
    return this.work.run(async (tx) => {
      const role = await this.roles.hold(organizationId, actor, 'admin', tx);
      const removed = await this.invites.withdraw(organizationId, id, tx);
      if (!removed) return false;
      if (role) assertMayGive(role, removed.role);
      await this.recordRemoval(organizationId, removed, actor, tx);
      return true;
    });
  }

  /** Removes what a member who is removed could come back with: the pending invites to addresses of theirs. */
  async removeOf(organizationId: OrganizationId, userId: string, actor: Actor, tx: Transaction): Promise<void> {
    const addresses = await this.mailboxes.listProven(userId, tx);
    const removed = await this.invites.withdrawPending(organizationId, addresses, tx);
    for (const invite of removed) await this.recordRemoval(organizationId, invite, actor, tx);
  }

  /**
   * Removes the pending invites that a member whose role has changed could no longer make: nobody could accept them, and
   * their addresses could not be invited again.
   *
   * @param role null for somebody who is no member any more
   */
  async removeVoid(
    organizationId: OrganizationId,
    inviter: { userId: string; role: Role | null },
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    const removed = await this.invites.withdrawVoid(organizationId, { ...inviter, roles: ROLES.values }, tx);
    for (const invite of removed) await this.recordRemoval(organizationId, invite, actor, tx);
  }

  private recordRemoval(
    organizationId: OrganizationId,
    invite: AnsweredInvite,
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    const [before, data] = [recordedInvite(invite), publishedInvite(invite)];
    const change = { event: INVITE_DELETED, resource: { type: 'invite', id: invite.id }, before, after: null, data };
    return this.changes.record({ scope: { organizationId }, actor, ...change }, tx);
  }
}

/** @throws forbidden for a role above the caller's own */
export function assertMayGive(own: Role | null, role: Role): void {
  if (own && roleReaches(own, role)) return;
  throw forbidden({ hint: `Your role is ${own ?? 'none'}; nobody gives or takes a role above their own.` });
}
