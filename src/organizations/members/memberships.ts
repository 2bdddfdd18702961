import { Injectable } from '@nestjs/common';
import { unauthorized } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import type { OrganizationId, Role } from '../../auth/index.js';
import type { Transaction } from '../../database/index.js';
import { ApiTokensService } from '../api-tokens/api-tokens.service.js';
import type { Actor } from '../audit/actor.js';
import { ChangeLog } from '../change-log.js';
import { tooManyMembers } from './member.errors.js';
import { MEMBER_ADDED } from './member.events.js';
import { MembersRepository, type MemberRow } from './members.repository.js';
import { MAX_ORGANIZATIONS, tooManyOrganizations } from '../organization.errors.js';
import { OrganizationsRepository } from '../organizations.repository.js';
import { PeopleDirectory } from './people-directory.js';

/** How people join organizations. Locks the person first and the organization second. */
@Injectable()
export class Memberships {
  constructor(
    private readonly members: MembersRepository,
    private readonly organizations: OrganizationsRepository,
    private readonly people: PeopleDirectory,
    private readonly tokens: ApiTokensService,
    private readonly changes: ChangeLog,
  ) {}

  /**
   * Locks a person who is about to join an organization until the transaction ends.
   *
   * @returns the organizations they belong to
   * @throws unauthorized when the person has just been deleted, tooManyOrganizations
   */
  async admit(userId: string, tx: Transaction): Promise<{ id: string; name: string }[]> {
    if (!(await this.people.lockPerson(userId, tx))) throw unauthorized();
    const organizations = await this.organizations.listNamesOfUser(userId, tx);
    if (organizations.length >= MAX_ORGANIZATIONS) throw tooManyOrganizations();
    return organizations;
  }

  /**
   * Makes an admitted person a member.
   *
   * @throws tooManyMembers, and a violation of `members_once` for an existing member
   */
  async join(
    organizationId: OrganizationId,
    { userId, role }: { userId: string; role: Role },
    actor: Actor,
    tx: Transaction,
  ): Promise<MemberRow> {
    await this.organizations.lock(organizationId, tx);
    const member = await this.members.join(organizationId, { id: newId(), userId, role }, tx);
    if (!member) throw tooManyMembers();
    // Tokens of theirs that were kept when they left.
    await this.tokens.lowerMadeBy(organizationId, userId, role, tx);
    const resource = { type: 'member', id: member.id };
    const change = { event: MEMBER_ADDED, resource, before: null, after: member };
    await this.changes.record({ scope: { organizationId }, actor, ...change }, tx);
    return member;
  }

  /**
   * Gives an organization imported without its members an owner.
   *
   * @returns false when it already has one
   * @throws tooManyOrganizations
   */
  async adopt(organizationId: OrganizationId, userId: string, actor: Actor, tx: Transaction): Promise<boolean> {
    await this.admit(userId, tx);
    await this.organizations.lock(organizationId, tx);
    if ((await this.members.countOwners(organizationId, tx)) > 0) return false;
    await this.join(organizationId, { userId, role: 'owner' }, actor, tx);
    return true;
  }
}
