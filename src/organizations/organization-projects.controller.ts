import { Get } from '@nestjs/common';
import { Dashboard, Organization, type OrganizationId } from '../auth/index.js';
import { ApiController, Operation, Returns } from '../common/http/operation.js';
import { uuidPathParam } from '../common/http/params.js';
import { ProjectsResponse } from './project.dto.js';
import { ProjectsService } from './projects.service.js';

@ApiController('organizations/:organizationId/projects', 'Projects')
export class OrganizationProjectsController {
  constructor(private readonly projects: ProjectsService) {}

  @Get()
  @uuidPathParam('organizationId')
  @Operation({ id: 'getProjects', summary: "List an organization's projects", errors: [401, 403, 404] })
  @Dashboard({ scope: null })
  @Returns(ProjectsResponse)
  getProjects(@Organization() organizationId: OrganizationId) {
    return this.projects.list(organizationId);
  }
}
