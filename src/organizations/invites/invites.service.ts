import { Injectable } from '@nestjs/common';
import { RateLimiter, type DashboardUserPrincipal, type OrganizationId } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { TOKEN_PREFIX, makeToken, type OpaqueToken } from '../api-tokens/opaque-token.js';
import { SERVICE } from '../audit/actor.js';
import { MembersRepository } from '../members/members.repository.js';
import { InviteLetters } from './invite-letters.js';
import { InviteRecords, assertMayGive } from './invite-records.js';
import type { Invite, InviteSendRequest, InvitesResponse } from './invite.dto.js';
import { MAX_INVITES_A_DAY, alreadyMember, invalidEmailAddress, inviteAddressRequired } from './invite.errors.js';
import type { NewInvite } from './invites.repository.js';
import { Mailboxes } from './mailboxes.js';

const SENDING = { name: 'invite-sending', limit: MAX_INVITES_A_DAY, windowSeconds: 86_400 };

/** Invites as the inviting organization sees them. */
@Injectable()
export class InvitesService {
  constructor(
    private readonly records: InviteRecords,
    private readonly letters: InviteLetters,
    private readonly members: MembersRepository,
    private readonly mailboxes: Mailboxes,
    private readonly limiter: RateLimiter,
  ) {}

  list(organizationId: OrganizationId): Promise<InvitesResponse> {
    return this.records.list(organizationId);
  }

  /**
   * Stores an invite, then sends it. An interruption leaves an invite without an email: the person finds it in their
   * list, and a new one for the same address replaces it after a minute.
   *
   * @throws inviteExists, alreadyMember, tooManyInvites, and 503 when the email could not be handed over: the invite is
   *   removed again then
   */
  async create(
    organizationId: OrganizationId,
    request: InviteSendRequest,
    caller: DashboardUserPrincipal,
  ): Promise<Invite> {
    assertMayGive(caller.role, request.role);
    const email = this.addressOf(request);
    await this.assertNoMember(organizationId, email);
    const token = makeToken(TOKEN_PREFIX.invite);
    const { alias = null, walletPublicKey = null, role } = request;
    const invite: NewInvite = {
      ...{ id: newId(), email, role, alias, walletPublicKey },
      tokenHash: token.hash,
      createdBy: caller.userId,
    };
    await this.storeAndSend(organizationId, invite, token, caller);
    await this.records.markSent(organizationId, invite.id);
    return this.read(organizationId, invite.id);
  }

  /** Counts the email, unless certainly none was sent. */
  private async storeAndSend(
    organizationId: OrganizationId,
    invite: NewInvite,
    token: OpaqueToken,
    caller: DashboardUserPrincipal,
  ): Promise<void> {
    let isStored = false;
    const sending = async (): Promise<void> => {
      await this.records.store(organizationId, invite, caller);
      isStored = true;
      await this.letters.send(organizationId, invite, token).catch(async (error: unknown) => {
        await this.records.remove(organizationId, invite.id, SERVICE);
        throw error;
      });
    };
    const isUnsent = (error: unknown): boolean => !isStored || this.letters.isUnsent(error);
    await this.limiter.within(SENDING, organizationId, sending, isUnsent);
  }

  /** @throws notFound for an invite that no longer exists or was accepted */
  async withdraw(organizationId: OrganizationId, id: string, caller: DashboardUserPrincipal): Promise<void> {
    if (!(await this.records.remove(organizationId, id, caller))) throw notFound();
  }

  /** @throws notFound for an invite withdrawn at the same moment */
  private async read(organizationId: OrganizationId, id: string): Promise<Invite> {
    const { invites = [] } = await this.records.list(organizationId);
    const invite = invites.find((one) => one.id === id);
    if (!invite) throw notFound();
    return invite;
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
}
