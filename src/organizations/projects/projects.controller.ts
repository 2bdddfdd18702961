import { Body, Delete, Get, Put } from '@nestjs/common';
import {
  Caller,
  Dashboard,
  Organization,
  ScopedBy,
  RecentlyProven,
  type DashboardPrincipal,
  type OrganizationId,
} from '../../auth/index.js';
import { ApiController, Operation, Returns, ReturnsNothing } from '../../common/http/operation.js';
import { IdParam } from '../../common/http/params.js';
import { ProjectOwner } from './project-owner.js';
import { Project, UpdateProjectRequest, UpdateProjectResponse } from './project.dto.js';
import { PROJECT_DELETED, PROJECT_UPDATED } from './project.events.js';
import { ProjectsService } from './projects.service.js';

@ApiController('projects/:projectId', 'Projects')
export class ProjectsController {
  constructor(private readonly projects: ProjectsService) {}

  @Get()
  @Operation({ id: 'getProjectById', summary: 'Read one project' })
  @Dashboard({ scope: null, role: 'viewer' })
  @ScopedBy(ProjectOwner, 'projectId')
  @Returns(Project)
  getProjectById(@Organization() organizationId: OrganizationId, @IdParam('projectId') projectId: string) {
    return this.projects.get(organizationId, projectId);
  }

  @Put()
  @Operation({
    id: 'updateProject',
    summary: 'Rename a project',
    errors: [422],
    events: [PROJECT_UPDATED.name],
  })
  @Dashboard({ scope: null, role: 'admin' })
  @ScopedBy(ProjectOwner, 'projectId')
  @Returns(UpdateProjectResponse)
  updateProject(
    @Organization() organizationId: OrganizationId,
    @IdParam('projectId') projectId: string,
    @Caller() caller: DashboardPrincipal,
    @Body() request: UpdateProjectRequest,
  ) {
    return this.projects.update(organizationId, projectId, request, caller);
  }

  @Delete()
  @Operation({
    id: 'deleteProjectById',
    summary: 'Delete a project',
    description:
      'Deletes both environments with everything in them: users, wallets and their keys, webhooks, tokens, settings. This cannot be undone. Sessions and tokens stop working within one second; the rows are removed over the following minutes.',
    errors: [405, 422],
    events: [PROJECT_DELETED.name],
    limits: ['The last project of an organization cannot be deleted'],
  })
  @Dashboard({ scope: null, role: 'admin' })
  @RecentlyProven('console:project:delete')
  @ScopedBy(ProjectOwner, 'projectId')
  @ReturnsNothing()
  deleteProjectById(
    @Organization() organizationId: OrganizationId,
    @IdParam('projectId') projectId: string,
    @Caller() caller: DashboardPrincipal,
  ) {
    return this.projects.delete(organizationId, projectId, caller);
  }
}
