import { Get } from '@nestjs/common';
import { Dashboard, Organization, type OrganizationId } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { OrganizationMembersResponse } from './member.dto.js';
import { MAX_MEMBERS } from './member.errors.js';
import { MembersService } from './members.service.js';

@ApiController('organizations/:organizationId/members', 'Members')
export class OrganizationMembersController {
  constructor(private readonly members: MembersService) {}

  @Get()
  @Operation({
    id: 'getOrganizationMembers',
    summary: "List an organization's members",
    description: 'All members in one answer, in the order in which they joined.',
    limits: [`${MAX_MEMBERS} members per organization`],
  })
  @Dashboard({ scope: null, role: 'viewer' })
  @Returns(OrganizationMembersResponse)
  getOrganizationMembers(@Organization() organizationId: OrganizationId) {
    return this.members.list(organizationId);
  }
}
