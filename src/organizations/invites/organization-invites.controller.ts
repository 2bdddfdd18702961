import { Body, Get, Post } from '@nestjs/common';
import {
  Caller,
  Dashboard,
  Organization,
  RecentlyProven,
  type DashboardUserPrincipal,
  type OrganizationId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { MAKES_AN_OWNER } from '../owners-made.js';
import { Invite, InviteSendRequest, InvitesResponse } from './invite.dto.js';
import { INVITE_DAYS, MAX_INVITES_A_DAY, MAX_OPEN_INVITES } from './invite.errors.js';
import { INVITE_CREATED, INVITE_DELETED } from './invite.events.js';
import { MAX_ANSWERED_LISTED } from './invites.repository.js';
import { InvitesService } from './invites.service.js';

@ApiController('organizations/:organizationId/invites', 'Invites')
export class OrganizationInvitesController {
  constructor(private readonly invites: InvitesService) {}

  @Get()
  @Operation({
    id: 'getOrganizationInvitesByOrganizationId',
    summary: "List an organization's invites",
    description:
      'Open invites, and the newest accepted and rejected ones. Expired invites are not listed. An answered one is removed 90 days after it would have expired.',
    limits: [`${MAX_ANSWERED_LISTED} accepted and ${MAX_ANSWERED_LISTED} rejected invites are listed`],
  })
  @Dashboard({ scope: null, role: 'admin' })
  @Returns(InvitesResponse)
  getOrganizationInvitesByOrganizationId(@Organization() organizationId: OrganizationId) {
    return this.invites.list(organizationId);
  }

  @Post()
  @Operation({
    id: 'createInvite',
    summary: 'Invite someone to an organization',
    description:
      'Sends an email. The invite is bound to the address: only a dashboard user who has proven the address can accept it, as long as the inviter may still grant the role. If the email cannot be sent, the invite is discarded. Inviting an owner requires a proof from the last five minutes.',
    errors: [409, 422, 503],
    events: [INVITE_CREATED.name, INVITE_DELETED.name],
    limits: [
      `${MAX_OPEN_INVITES} open invites per organization, one per address`,
      `${MAX_INVITES_A_DAY} emails per organization and day`,
      `An invite expires after ${INVITE_DAYS} days`,
      'role: at most that of the inviter',
    ],
  })
  @Dashboard({ scope: null, role: 'admin' })
  @RecentlyProven('console:member:invite', MAKES_AN_OWNER)
  @Returns(Invite)
  createInvite(
    @Organization() organizationId: OrganizationId,
    @Caller() caller: DashboardUserPrincipal,
    @Body() request: InviteSendRequest,
  ) {
    return this.invites.create(organizationId, request, caller);
  }
}
