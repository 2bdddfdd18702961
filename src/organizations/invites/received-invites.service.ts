import { Injectable } from '@nestjs/common';
import { ROLES, type DashboardUserPrincipal, type OrganizationId } from '../../auth/index.js';
import { forbidden, notFound } from '../../common/errors/index.js';
import { UnitOfWork, violatedConstraint, type Transaction } from '../../database/index.js';
import { parseToken, TOKEN_PREFIX } from '../api-tokens/opaque-token.js';
import { ChangeLog } from '../change-log.js';
import { Memberships } from '../members/memberships.js';
import { MembersRepository } from '../members/members.repository.js';
import { PeopleDirectory } from '../members/people-directory.js';
import { OrganizationsRepository } from '../organizations.repository.js';
import { invitedScope } from '../tenant-scope.js';
import { describeInvites, invitersOf, publishedInvite, recordedInvite } from './describe-invites.js';
import type { InvitesResponse } from './invite.dto.js';
import type { InviteStatus } from './invite.entity.js';
import { invalidInvite } from './invite.errors.js';
import { INVITE_ACCEPTED, INVITE_REJECTED } from './invite.events.js';
import { InvitesRepository, type AnsweredInvite, type ListedInvite } from './invites.repository.js';
import { Mailboxes } from './mailboxes.js';

const MEMBER_ONCE = 'members_once';

/** Invites as seen by the invited person, i.e. anybody who has verified the address. */
@Injectable()
export class ReceivedInvites {
  constructor(
    private readonly invites: InvitesRepository,
    private readonly members: MembersRepository,
    private readonly memberships: Memberships,
    private readonly organizations: OrganizationsRepository,
    private readonly people: PeopleDirectory,
    private readonly mailboxes: Mailboxes,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  async list(userId: string, status: InviteStatus): Promise<InvitesResponse> {
    const addresses = await this.mailboxes.listProven(userId);
    const rows = addresses.length > 0 ? await this.invites.listOfAddresses(addresses, status) : [];
    return describeInvites(rows, await this.people.findPeople(invitersOf(rows)));
  }

  /** The open invite behind an emailed link. */
  async findByLink(text: string): Promise<ListedInvite | null> {
    const token = parseToken(TOKEN_PREFIX.invite, text);
    return token && this.invites.findByToken(token.hash);
  }

  /** @throws notFound, forbidden, invalidInvite, tooManyOrganizations, tooManyMembers */
  async answer(id: string, status: InviteStatus, caller: DashboardUserPrincipal): Promise<void> {
    if (status === 'pending') throw invalidInvite({ hint: 'Answer with accepted or rejected.' });
    const addresses = await this.mailboxes.listProven(caller.userId);
    const organizationId = await this.scopeOf(id, addresses, caller);
    await this.work
      .run(async (tx) => {
        if (status === 'accepted') {
          await this.memberships.admit(caller.userId, tx);
          // Before the inviter's role is read, which is then the one they have when the person joins.
          await this.organizations.lock(organizationId, tx);
        }
        const answer = { status, userId: caller.userId, addresses, roles: ROLES.values };
        const invite = await this.invites.answer(organizationId, id, answer, tx);
        if (!invite) throw invalidInvite();
        await this.record(organizationId, invite, caller, tx);
        const member = { userId: caller.userId, role: invite.role };
        if (status === 'accepted') await this.memberships.join(organizationId, member, caller, tx);
      })
      .catch(isMemberAlready);
  }

  private record(
    organizationId: OrganizationId,
    invite: AnsweredInvite,
    actor: DashboardUserPrincipal,
    tx: Transaction,
  ): Promise<void> {
    const [after, data] = [recordedInvite(invite), publishedInvite(invite)];
    const event = invite.status === 'accepted' ? INVITE_ACCEPTED : INVITE_REJECTED;
    const resource = { type: 'invite', id: invite.id };
    const change = { event, resource, before: { ...after, status: 'pending' }, after, data };
    return this.changes.record({ scope: { organizationId }, actor, ...change }, tx);
  }

  /** Members of the inviting organization may learn that the invite exists; for everybody else it does not. */
  private async scopeOf(
    id: string,
    addresses: readonly string[],
    caller: DashboardUserPrincipal,
  ): Promise<OrganizationId> {
    const invite = await this.invites.findAnywhere(id);
    if (!invite) throw notFound();
    if (addresses.includes(invite.email)) return invitedScope(invite);
    if (await this.members.findRole(caller.userId, invite.organizationId)) {
      throw forbidden({ hint: 'Only the invited person may answer, signed in with the address of the invite.' });
    }
    throw notFound();
  }
}

function isMemberAlready(error: unknown): never {
  if (violatedConstraint(error) !== MEMBER_ONCE) throw error;
  throw invalidInvite({ hint: 'You are a member already; ask an admin to change your role.', cause: error });
}
