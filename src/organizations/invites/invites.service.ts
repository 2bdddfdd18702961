import { Injectable } from '@nestjs/common';
import {
  RateLimiter,
  roleReaches,
  type DashboardUserPrincipal,
  type OrganizationId,
  type Role,
} from '../../auth/index.js';
import { forbidden, notFound, tooManyRequests } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { Config } from '../../config/index.js';
import { UnitOfWork } from '../../database/index.js';
import { TOKEN_PREFIX, makeToken, type OpaqueToken } from '../api-tokens/opaque-token.js';
import { SERVICE, type Actor } from '../audit/actor.js';
import { ChangeLog } from '../change-log.js';
import { EnvironmentsProvisioner } from '../environments/environments-provisioner.js';
import { MembersRepository } from '../members/members.repository.js';
import { OrganizationsRepository } from '../organizations.repository.js';
import { PeopleDirectory } from '../members/people-directory.js';
import { InviteMails } from './invite-mails.js';
import type { InviteSendRequest, InvitesResponse } from './invite.dto.js';
import {
  INVITE_DAYS,
  MAX_INVITES_A_DAY,
  alreadyMember,
  invalidEmailAddress,
  inviteAddressRequired,
  inviteExists,
  tooManyInvites,
} from './invite.errors.js';
import { INVITE_CREATED, INVITE_DELETED } from './invite.events.js';
import { InvitesRepository, type NewInvite } from './invites.repository.js';
import { Mailboxes } from './mailboxes.js';
import { describeInvites, invitersOf, publishedInvite } from './describe-invites.js';

const SENDING = { name: 'invite-sending', limit: MAX_INVITES_A_DAY, windowSeconds: 86_400 };

/** Invites as the inviting organization sees them. */
@Injectable()
export class InvitesService {
  constructor(
    private readonly invites: InvitesRepository,
    private readonly members: MembersRepository,
    private readonly organizations: OrganizationsRepository,
    private readonly provisioner: EnvironmentsProvisioner,
    private readonly people: PeopleDirectory,
    private readonly mailboxes: Mailboxes,
    private readonly mails: InviteMails,
    private readonly limiter: RateLimiter,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly config: Config,
  ) {}

  async list(organizationId: OrganizationId): Promise<InvitesResponse> {
    const rows = await this.invites.listAll(organizationId);
    return describeInvites(rows, await this.people.findPeople(invitersOf(rows)));
  }

  /**
   * Stores an invite and sends it. The order decides what an interruption leaves: an invite without an email, which the
   * person finds in their list and which another for the same address replaces after a minute.
   *
   * @throws inviteExists, alreadyMember, tooManyInvites, and 503 when the email could not be handed over: nothing is
   *   left of the invite then
   */
  async create(
    organizationId: OrganizationId,
    request: InviteSendRequest,
    caller: DashboardUserPrincipal,
  ): Promise<void> {
    assertMayGive(caller.role, request.role);
    const email = this.addressOf(request);
    await this.assertNoMember(organizationId, email);
    await this.assertWithinDay(organizationId);
    const token = makeToken(TOKEN_PREFIX.invite);
    const { alias = null, walletPublicKey = null, role } = request;
    const invite: NewInvite = {
      ...{ id: newId(), email, role, alias, walletPublicKey },
      tokenHash: token.hash,
      createdBy: caller.userId,
    };
    await this.store(organizationId, invite, caller);
    await this.send(organizationId, invite, token).catch(async (error: unknown) => {
      await this.remove(organizationId, invite.id, SERVICE);
      throw error;
    });
    await this.invites.markSent(organizationId, invite.id);
  }

  /** @throws notFound for an invite that is not there any more, or was accepted */
  async withdraw(organizationId: OrganizationId, id: string, caller: DashboardUserPrincipal): Promise<void> {
    if (!(await this.remove(organizationId, id, caller))) throw notFound();
  }

  private addressOf({ email }: InviteSendRequest): string {
    if (!email) throw inviteAddressRequired();
    const address = this.mailboxes.normalise(email);
    if (!address) throw invalidEmailAddress();
    return address;
  }

  private async assertNoMember(organizationId: OrganizationId, email: string): Promise<void> {
    const userId = await this.mailboxes.findUser(email);
    if (userId && (await this.members.findRole(userId, organizationId))) throw alreadyMember();
  }

  private async assertWithinDay(organizationId: OrganizationId): Promise<void> {
    const waitSeconds = await this.limiter.take(SENDING, organizationId);
    if (waitSeconds !== null) throw tooManyRequests({ retryAfterSeconds: waitSeconds });
  }

  private async store(organizationId: OrganizationId, invite: NewInvite, actor: Actor): Promise<void> {
    await this.work.run(async (tx) => {
      await this.invites.makeRoom(organizationId, invite.email, tx);
      if (!(await this.invites.insertWithin(organizationId, invite, tx))) {
        const open = { email: invite.email, status: 'pending' } as const;
        throw (await this.invites.find(organizationId, open, tx)) ? inviteExists() : tooManyInvites();
      }
      const after = publishedInvite({ ...invite, status: 'pending' });
      const change = { event: INVITE_CREATED, resource: { type: 'invite', id: invite.id }, before: null, after };
      await this.changes.record({ scope: { organizationId }, actor, ...change }, tx);
    });
  }

  private async send(
    organizationId: OrganizationId,
    { email, role, createdBy }: NewInvite,
    token: OpaqueToken,
  ): Promise<void> {
    const [consoleEnvironmentId, organizationName, people] = await Promise.all([
      this.provisioner.ensureConsole(),
      this.organizations.nameOf(organizationId),
      this.people.findPeople([createdBy]),
    ]);
    await this.mails.send({
      ...{ consoleEnvironmentId, to: email, organizationName, role, days: INVITE_DAYS },
      invitedBy: people.get(createdBy)?.email ?? null,
      url: `${this.config.publicUrl}/invites/${token.raw}`,
    });
  }

  private remove(organizationId: OrganizationId, id: string, actor: Actor): Promise<boolean> {
    return this.work.run(async (tx) => {
      const removed = await this.invites.withdraw(organizationId, id, tx);
      if (!removed) return false;
      if (actor.kind === 'dashboardUser') assertMayGive(actor.role, removed.role);
      const before = publishedInvite(removed);
      const change = { event: INVITE_DELETED, resource: { type: 'invite', id }, before, after: null, data: before };
      await this.changes.record({ scope: { organizationId }, actor, ...change }, tx);
      return true;
    });
  }
}

/** @throws forbidden when somebody would decide about a role above their own */
function assertMayGive(own: Role | null, role: Role): void {
  if (own && roleReaches(own, role)) return;
  throw forbidden({ hint: `Your role is ${own ?? 'none'}; nobody gives or takes a role above their own.` });
}
