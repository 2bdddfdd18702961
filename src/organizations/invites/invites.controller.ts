import { Body, Delete, Get, Put, Query } from '@nestjs/common';
import {
  Caller,
  Dashboard,
  Organization,
  ScopedBy,
  type DashboardUserPrincipal,
  type OrganizationId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { MEMBER_ADDED } from '../members/member.events.js';
import { InviteOwner } from './invite-owner.js';
import { GetInvitesQuery, InvitesResponse, InviteUpdateRequest } from './invite.dto.js';
import { INVITE_ACCEPTED, INVITE_DELETED, INVITE_REJECTED } from './invite.events.js';
import { MAX_ANSWERED_LISTED } from './invites.repository.js';
import { InvitesService } from './invites.service.js';
import { ReceivedInvites } from './received-invites.service.js';

@ApiController('invites', 'Invites')
export class InvitesController {
  constructor(
    private readonly received: ReceivedInvites,
    private readonly invites: InvitesService,
  ) {}

  @Get()
  @Operation({
    id: 'getInvites',
    summary: "List the caller's invites by status",
    description: 'Invites to addresses that the caller has proven, newest first; expired ones are not listed.',
    limits: [`${MAX_ANSWERED_LISTED} invites are listed`],
  })
  @Dashboard({ scope: null, role: 'viewer', tokenRefusal: 401 })
  @Returns(InvitesResponse)
  getInvites(@Caller() caller: DashboardUserPrincipal, @Query() { status }: GetInvitesQuery) {
    return this.received.list(caller.userId, status);
  }

  @Put(':inviteId')
  @Operation({
    id: 'updateInvite',
    summary: 'Accept or reject an invite',
    description: 'Only for the invited person: a dashboard user who has proven the address. The answer is final.',
    errors: [422],
    events: [INVITE_ACCEPTED.name, INVITE_REJECTED.name, MEMBER_ADDED.name],
  })
  @Dashboard({ scope: null, role: 'viewer' })
  @ReturnsNothing(200)
  updateInvite(
    @IdParam('inviteId') id: string,
    @Caller() caller: DashboardUserPrincipal,
    @Body() { status }: InviteUpdateRequest,
  ) {
    return this.received.answer(id, status, caller);
  }

  @Delete(':inviteId')
  @Operation({
    id: 'deleteInvite',
    summary: 'Withdraw an invite',
    description: 'An accepted invite is a membership and cannot be withdrawn; remove the member instead.',
    errors: [400],
    events: [INVITE_DELETED.name],
  })
  @Dashboard({ scope: null, role: 'admin' })
  @ScopedBy(InviteOwner, 'inviteId')
  @ReturnsNothing()
  deleteInvite(
    @Organization() organizationId: OrganizationId,
    @IdParam('inviteId') id: string,
    @Caller() caller: DashboardUserPrincipal,
  ) {
    return this.invites.withdraw(organizationId, id, caller);
  }
}
