import { Get } from '@nestjs/common';
import { Caller, Dashboard, type DashboardUserPrincipal } from '../../auth/index.js';
import { ApiController, Operation, ReturnsIds } from '../../common/http/operation.js';
import { MAX_ORGANIZATIONS } from '../organization.errors.js';
import { OrganizationsService } from '../organizations.service.js';
import { MAX_PROJECTS } from '../projects/project.errors.js';

@ApiController('membershipEnvironmentIds', 'Members')
export class MembershipEnvironmentsController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Get()
  @Operation({
    id: 'membershipEnvironmentIdsGet',
    summary: 'List the environment ids the caller can reach',
    description: 'The sandbox and live environments of all projects of the organizations that the caller belongs to.',
    errors: [400],
    limits: [`${MAX_ORGANIZATIONS} organizations per person, ${MAX_PROJECTS} projects in each`],
  })
  @Dashboard({ scope: null, role: 'viewer', tokenRefusal: 401 })
  @ReturnsIds()
  membershipEnvironmentIdsGet(@Caller() caller: DashboardUserPrincipal) {
    return this.organizations.listEnvironments(caller.userId);
  }
}
