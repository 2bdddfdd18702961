import { Injectable } from '@nestjs/common';
import type { EnvironmentId, OrganizationId } from '../../auth/index.js';
import { Outbox, type Transaction } from '../../database/index.js';
import { PersonalTokensService } from '../api-tokens/personal-tokens.service.js';
import { SERVICE, type Actor } from '../audit/actor.js';
import { ConsoleEnvironment } from '../environments/console-environment.js';
import { INVITE_EVENTS } from '../invites/invite.events.js';
import { InvitesRepository } from '../invites/invites.repository.js';
import { Mailboxes } from '../invites/mailboxes.js';
import { MemberChanges } from './member-changes.js';
import { lastOwner } from './member.errors.js';
import { MembersRepository } from './members.repository.js';
import { OrganizationsRepository } from '../organizations.repository.js';
import { PeopleDirectory } from './people-directory.js';
import { memberScope } from '../tenant-scope.js';

/**
 * Removes the memberships, personal tokens and invites (which contain the address) of a console user who is deleted.
 */
@Injectable()
export class Departures {
  constructor(
    private readonly console: ConsoleEnvironment,
    private readonly people: PeopleDirectory,
    private readonly members: MembersRepository,
    private readonly organizations: OrganizationsRepository,
    private readonly tokens: PersonalTokensService,
    private readonly changes: MemberChanges,
    private readonly invites: InvitesRepository,
    private readonly mailboxes: Mailboxes,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Called before the user's row is deleted. Users of environments other than the console have no memberships.
   *
   * @throws lastOwner when an organization would be left without an owner
   */
  async depart(environmentId: EnvironmentId, userId: string, tx: Transaction, actor: Actor = SERVICE): Promise<void> {
    if (environmentId !== (await this.console.idOn(tx))) return;
    // From here on, nobody can make the person a member.
    await this.people.lockPerson(userId, tx);
    for (const membership of await this.members.listOfPerson(userId, tx)) {
      await this.leave(memberScope(membership), userId, actor, tx);
    }
    await this.tokens.deleteAllOf(environmentId, userId, actor, tx);
    const addresses = await this.mailboxes.listProven(userId, tx);
    await this.invites.forgetPerson(userId, addresses, tx);
    // Invite events precede the address's user; attributed to the person, they are scrubbed with the person's events.
    await this.outbox.attribute(environmentId, userId, { names: INVITE_EVENTS, field: 'email', values: addresses }, tx);
  }

  private async leave(organizationId: OrganizationId, userId: string, actor: Actor, tx: Transaction): Promise<void> {
    await this.organizations.lock(organizationId, tx);
    // Read again: the role may have changed while waiting for the lock.
    const [member] = await this.members.findAll(organizationId, userId, [], tx);
    if (!member) return;
    if (member.role === 'owner' && (await this.members.countOwners(organizationId, tx)) < 2) throw lastOwner();
    await this.changes.remove(organizationId, member, { actor, keepsTokens: false }, tx);
  }
}
