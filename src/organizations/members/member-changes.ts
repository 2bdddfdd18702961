import { Injectable } from '@nestjs/common';
import type { OrganizationId, Role } from '../../auth/index.js';
import type { Transaction } from '../../database/index.js';
import { ApiTokensService } from '../api-tokens/api-tokens.service.js';
import type { Actor } from '../audit/actor.js';
import { ChangeLog } from '../change-log.js';
import { InviteRecords } from '../invites/invite-records.js';
import { MEMBER_REMOVED, MEMBER_UPDATED } from './member.events.js';
import { MembersRepository, type MemberRow } from './members.repository.js';

/** Writes changes to members, with audit record and event. Authorisation has already been checked. */
@Injectable()
export class MemberChanges {
  constructor(
    private readonly members: MembersRepository,
    private readonly tokens: ApiTokensService,
    private readonly invites: InviteRecords,
    private readonly changes: ChangeLog,
  ) {}

  async giveRole(
    organizationId: OrganizationId,
    before: MemberRow,
    role: Role,
    actor: Actor,
    tx: Transaction,
  ): Promise<MemberRow> {
    const after = { ...before, role };
    await this.members.update(organizationId, { id: before.id }, { role }, tx);
    await this.tokens.lowerMadeBy(organizationId, before.userId, role, tx);
    const change = { event: MEMBER_UPDATED, resource: resourceOf(before), before, after };
    await this.changes.record({ scope: { organizationId }, actor, ...change }, tx);
    await this.invites.removeVoid(organizationId, { userId: before.userId, role }, actor, tx);
    return after;
  }

  /** @param keepsTokens whether API tokens that the member created keep working, listed in their environments */
  async remove(
    organizationId: OrganizationId,
    before: MemberRow,
    { actor, keepsTokens }: { actor: Actor; keepsTokens: boolean },
    tx: Transaction,
  ): Promise<void> {
    await this.members.delete(organizationId, { id: before.id }, tx);
    const change = { event: MEMBER_REMOVED, resource: resourceOf(before), before, after: null, data: before };
    await this.changes.record({ scope: { organizationId }, actor, ...change }, tx);
    await this.invites.removeVoid(organizationId, { userId: before.userId, role: null }, actor, tx);
    if (!keepsTokens) await this.tokens.deleteMadeBy(organizationId, before.userId, actor, tx);
  }
}

const resourceOf = ({ id }: MemberRow) => ({ type: 'member', id });
