import { Get } from '@nestjs/common';
import { Dashboard, Organization, ScopedBy, type OrganizationId } from '../auth/index.js';
import { ApiController, Operation } from '../common/http/operation.js';
import { IdParam } from '../common/http/params.js';
import { ProjectOwner } from '../organizations/index.js';
import { ProjectEnvironmentsService } from './project-environments.service.js';
import { ReturnsEnvironments } from './returns-settings.js';

@ApiController('projects/:projectId/environments', 'Environments')
export class ProjectEnvironmentsController {
  constructor(private readonly environments: ProjectEnvironmentsService) {}

  @Get()
  @Operation({
    id: 'getEnvironmentsByProjectId',
    summary: "Read a project's live and sandbox environments",
    description: 'Each with its settings, without secrets.',
    errors: [400],
  })
  @Dashboard({ scope: null, role: 'viewer' })
  @ScopedBy(ProjectOwner, 'projectId')
  @ReturnsEnvironments()
  getEnvironmentsByProjectId(@Organization() organizationId: OrganizationId, @IdParam('projectId') projectId: string) {
    return this.environments.get(organizationId, projectId);
  }
}
