import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../auth/index.js';
import { ProjectsRepository } from './projects.repository.js';

/** Resolves a project's organization, for routes that contain only the project id. */
@Injectable()
export class ProjectOwner extends OwnerResolver {
  constructor(private readonly projects: ProjectsRepository) {
    super();
  }

  override async findOwner(id: string, caller: DashboardPrincipal): Promise<{ organizationId: string } | null> {
    return caller.kind === 'dashboardUser' ? this.projects.findOwner(id, caller.userId) : null;
  }
}
