import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../auth/index.js';
import { ProjectsRepository } from './projects.repository.js';

/** Knows the organization of a project, for routes that name the project alone. */
@Injectable()
export class ProjectOwner extends OwnerResolver {
  constructor(private readonly projects: ProjectsRepository) {
    super();
  }

  override async findOwner(id: string, caller: DashboardPrincipal): Promise<{ organizationId: string } | null> {
    return caller.kind === 'dashboardUser' ? this.projects.findOwner(id, caller.userId) : null;
  }
}
