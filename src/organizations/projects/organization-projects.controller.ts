import { Body, Get, Post } from '@nestjs/common';
import {
  Caller,
  Dashboard,
  Organization,
  type DashboardPrincipal,
  type OrganizationId,
  RATE_RULES,
  RateLimited,
} from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { CallWork, type Work } from '../../idempotency/index.js';
import { CreateProjectResponse, ProjectRequest, ProjectsResponse } from './project.dto.js';
import { MAX_PROJECTS } from './project.errors.js';
import { PROJECT_CREATED } from './project.events.js';
import { ProjectsService } from './projects.service.js';

@ApiController('organizations/:organizationId/projects', 'Projects')
export class OrganizationProjectsController {
  constructor(private readonly projects: ProjectsService) {}

  @Get()
  @Operation({ id: 'getProjects', summary: "List an organization's projects" })
  @Dashboard({ scope: null, role: 'viewer' })
  @Returns(ProjectsResponse)
  getProjects(@Organization() organizationId: OrganizationId) {
    return this.projects.list(organizationId);
  }

  @Post()
  @Operation({
    id: 'createProject',
    idempotent: true,
    summary: 'Create a project with its environments',
    description: 'Creates a sandbox and a live environment, ready for use.',
    errors: [422],
    events: [PROJECT_CREATED.name],
    limits: [`${MAX_PROJECTS} projects per organization`],
  })
  @Dashboard({ scope: null, role: 'admin' })
  @RateLimited(RATE_RULES.projectsMade)
  @Returns(CreateProjectResponse)
  createProject(
    @Organization() organizationId: OrganizationId,
    @Caller() caller: DashboardPrincipal,
    @Body() request: ProjectRequest,
    @CallWork() work: Work,
  ) {
    return this.projects.create(organizationId, request, caller, work);
  }
}
