import { Body, Delete, Put, Query } from '@nestjs/common';
import {
  Caller,
  Dashboard,
  Organization,
  RecentlyProven,
  ScopedBy,
  type DashboardUserPrincipal,
  type OrganizationId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { INVITE_DELETED } from '../invites/invite.events.js';
import { MAKES_AN_OWNER } from '../owners-made.js';
import { MemberOwner } from './member-owner.js';
import { DelegateOwnershipRequest, MemberResponse, MemberRoleField, DeleteMemberQuery } from './member.dto.js';
import { API_TOKEN_DELETED } from '../api-tokens/api-token.events.js';
import { MEMBER_REMOVED, MEMBER_UPDATED } from './member.events.js';
import { MembersService } from './members.service.js';

const NO_ORPHANS = 'An organization always has an owner';

@ApiController('members/:memberId', 'Members')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Put()
  @Operation({
    id: 'updateMemberRole',
    summary: "Change a member's role",
    description:
      'Admins can change anybody except owners; nobody can grant a role above their own. The new role applies from the next call. API tokens created by the member are limited to the new role within a second, and pending invites that they may no longer send are withdrawn. Making somebody an owner requires a proof from the last five minutes.',
    errors: [422],
    events: [MEMBER_UPDATED.name, INVITE_DELETED.name],
    limits: [NO_ORPHANS],
  })
  @Dashboard({ scope: null, role: 'admin' })
  @RecentlyProven('console:settings:update', MAKES_AN_OWNER)
  @ScopedBy(MemberOwner, 'memberId')
  @Returns(MemberResponse)
  updateMemberRole(
    @Organization() organizationId: OrganizationId,
    @IdParam('memberId') memberId: string,
    @Caller() caller: DashboardUserPrincipal,
    @Body() request: MemberRoleField,
  ) {
    return this.members.updateRole(organizationId, memberId, request, caller);
  }

  @Delete()
  @Operation({
    id: 'deleteMemberById',
    summary: 'Remove a member',
    description:
      'Their personal tokens and sessions lose access to the organization from the next call. API tokens that they created in its environments are deleted too, unless `tokens` is `keep`; each deletion is recorded. Pending invites to their proven addresses, and those that they sent, are withdrawn.',
    errors: [422],
    events: [MEMBER_REMOVED.name, API_TOKEN_DELETED.name, INVITE_DELETED.name],
    limits: [NO_ORPHANS, 'Members cannot remove themselves'],
  })
  @Dashboard({ scope: null, role: 'admin' })
  @ScopedBy(MemberOwner, 'memberId')
  @ReturnsNothing()
  deleteMemberById(
    @Organization() organizationId: OrganizationId,
    @IdParam('memberId') memberId: string,
    @Query() query: DeleteMemberQuery,
    @Caller() caller: DashboardUserPrincipal,
  ) {
    return this.members.remove(organizationId, memberId, query, caller);
  }

  @Put('delegateOwnership')
  @Operation({
    id: 'delegateOwnership',
    summary: 'Transfer ownership to another admin',
    description:
      'The owner in the path becomes an admin and the admin in the body an owner, in one transaction. Requires a proof from the last five minutes.',
    errors: [422],
    events: [MEMBER_UPDATED.name, INVITE_DELETED.name],
  })
  @Dashboard({ scope: null, role: 'owner' })
  @RecentlyProven('console:settings:update')
  @ScopedBy(MemberOwner, 'memberId')
  @ReturnsNothing()
  delegateOwnership(
    @Organization() organizationId: OrganizationId,
    @IdParam('memberId') memberId: string,
    @Caller() caller: DashboardUserPrincipal,
    @Body() request: DelegateOwnershipRequest,
  ) {
    return this.members.delegateOwnership(organizationId, memberId, request, caller);
  }
}
