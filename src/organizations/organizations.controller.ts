import { Get } from '@nestjs/common';
import { Caller, Dashboard, Organization as Scope } from '../auth/index.js';
import type { DashboardUserPrincipal, OrganizationId } from '../auth/index.js';
import { ApiController, Operation, Returns } from '../common/http/operation.js';
import { uuidPathParam } from '../common/http/params.js';
import { Organization, OrganizationsResponse } from './organization.dto.js';
import { OrganizationsService } from './organizations.service.js';

@ApiController('organizations', 'Organizations')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Get()
  @Operation({
    id: 'getOrganizationsForMember',
    summary: 'List the organizations the caller belongs to',
    errors: [401],
  })
  @Dashboard({ scope: null })
  @Returns(OrganizationsResponse)
  getOrganizationsForMember(@Caller() caller: DashboardUserPrincipal) {
    return this.organizations.listOf(caller.userId);
  }

  @Get(':organizationId')
  @uuidPathParam('organizationId')
  @Operation({ id: 'getOrganizationById', summary: 'Read one organization', errors: [401, 403, 404] })
  @Dashboard({ scope: null })
  @Returns(Organization)
  getOrganizationById(@Scope() organizationId: OrganizationId, @Caller() caller: DashboardUserPrincipal) {
    return this.organizations.get(organizationId, caller.userId);
  }
}
