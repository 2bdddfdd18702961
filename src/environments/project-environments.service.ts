import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../auth/index.js';
import { ProjectsService } from '../organizations/index.js';
import { EnvironmentSettingsService, type VersionedSettings } from './environment-settings.service.js';

/** The environments of a project with their settings. */
@Injectable()
export class ProjectEnvironmentsService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly settings: EnvironmentSettingsService,
  ) {}

  async get(
    organizationId: OrganizationId,
    projectId: string,
  ): Promise<{ live: VersionedSettings; sandbox: VersionedSettings }> {
    const ids = await this.projects.environmentsOf(organizationId, projectId);
    const [live, sandbox] = await Promise.all([this.settings.get(ids.live), this.settings.get(ids.sandbox)]);
    return { live, sandbox };
  }
}
