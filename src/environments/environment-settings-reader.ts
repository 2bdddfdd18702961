import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../auth/index.js';
import { notFound } from '../common/errors/index.js';
import { RecentLookups } from '../organizations/index.js';
import { EnvironmentSettingsRepository } from './environment-settings.repository.js';
import type { ProjectSettings } from './settings/settings.types.js';

const MAX_ENVIRONMENTS = 1_000;
const MAX_AGE_MS = 1_000;

/** The settings of environments for code that acts on them, secrets included: never an answer as it is. */
@Injectable()
export class EnvironmentSettingsReader {
  private readonly recent: RecentLookups<EnvironmentId, ProjectSettings>;

  constructor(settings: EnvironmentSettingsRepository) {
    this.recent = new RecentLookups({
      max: MAX_ENVIRONMENTS,
      ttlMs: MAX_AGE_MS,
      find: (environmentId) => settings.findSettings(environmentId),
    });
  }

  /**
   * At most one second old. Shared between callers, who must not change it.
   *
   * @throws notFound
   */
  async get(environmentId: EnvironmentId): Promise<ProjectSettings> {
    const settings = await this.recent.get(environmentId);
    if (!settings) throw notFound();
    return settings;
  }
}
