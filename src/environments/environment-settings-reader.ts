import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../auth/index.js';
import { notFound } from '../common/errors/index.js';
import { RecentLookups } from '../common/recent-lookups.js';
import { EnvironmentSettingsRepository } from './environment-settings.repository.js';
import type { ProjectSettings } from './settings/settings.types.js';

const MAX_ENVIRONMENTS = 1_000;
const MAX_AGE_MS = 1_000;

/** The settings of environments for code that acts on them. Those that are secrets are in `EnvironmentSecrets`. */
@Injectable()
export class EnvironmentSettingsReader {
  private readonly recent: RecentLookups<EnvironmentId, ProjectSettings>;

  constructor(private readonly settings: EnvironmentSettingsRepository) {
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

  /**
   * As they are now, for whoever keeps what is made of them: a copy of a copy would be two seconds old.
   *
   * @throws notFound
   */
  async read(environmentId: EnvironmentId): Promise<ProjectSettings> {
    const settings = await this.settings.findSettings(environmentId);
    if (!settings) throw notFound();
    this.recent.remember(environmentId, settings);
    return settings;
  }

  /** On this instance the next caller reads anew; on others, within a second. */
  forget(environmentId: EnvironmentId): void {
    this.recent.forget(environmentId);
  }
}
