import { Injectable } from '@nestjs/common';
import type { EnvironmentId, OrganizationId } from '../auth/index.js';
import { notFound } from '../common/errors/index.js';
import { ProjectsService } from '../organizations/index.js';
import { EnvironmentSettingsRepository } from './environment-settings.repository.js';
import type { ProjectSettings } from './settings/settings.types.js';

export interface EnvironmentWithSettings {
  id: string;
  settings: ProjectSettings;
  createdAt: Date;
  updatedAt: Date;
}

/** The environments of a project with how they are configured. */
@Injectable()
export class ProjectEnvironmentsService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly settings: EnvironmentSettingsRepository,
  ) {}

  async get(
    organizationId: OrganizationId,
    projectId: string,
  ): Promise<{ live: EnvironmentWithSettings; sandbox: EnvironmentWithSettings }> {
    const ids = await this.projects.environmentsOf(organizationId, projectId);
    const [live, sandbox] = await Promise.all([this.read(ids.live), this.read(ids.sandbox)]);
    return { live, sandbox };
  }

  private async read(environmentId: EnvironmentId): Promise<EnvironmentWithSettings> {
    const row = await this.settings.find(environmentId, {});
    if (!row) throw notFound();
    const { settings, createdAt, updatedAt } = row;
    return { id: environmentId, settings, createdAt, updatedAt };
  }
}
