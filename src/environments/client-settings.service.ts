import { Injectable } from '@nestjs/common';
import { TenantDirectory, type EnvironmentId } from '../auth/index.js';
import { notFound } from '../common/errors/index.js';
import { RecentLookups } from '../common/recent-lookups.js';
import { ClientSettingsSources, type ClientSettingsSections } from './client-settings-sources.js';
import { EnvironmentSettingsReader } from './environment-settings-reader.js';
import { toClientSettings } from './settings/client-settings.js';
import type { ProjectSettings } from './settings/settings.types.js';
import { withSwitchedOn } from './settings/switched-on.js';

const MAX_ENVIRONMENTS = 1_000;
const MAX_AGE_MS = 1_000;

/** The public settings of an environment; requested by every page that shows a sign-in. */
@Injectable()
export class ClientSettingsService {
  private readonly recent: RecentLookups<EnvironmentId, ProjectSettings>;

  constructor(
    settings: EnvironmentSettingsReader,
    private readonly sources: ClientSettingsSources,
    private readonly tenants: TenantDirectory,
  ) {
    this.recent = new RecentLookups({
      max: MAX_ENVIRONMENTS,
      ttlMs: MAX_AGE_MS,
      find: async (id) => {
        const assembled = await this.assemble(id, () => settings.read(id));
        return assembled && withSwitchedOn(assembled);
      },
    });
  }

  /** @throws notFound */
  async get(environmentId: EnvironmentId): Promise<ProjectSettings> {
    const settings = await this.recent.get(environmentId);
    if (!settings) throw notFound();
    return settings;
  }

  /**
   * The settings including the sections stored in other records. Without what these decide within `sdk`, such as the
   * domain of names: members send settings back as they read them, and that has operations of its own.
   *
   * @throws notFound
   */
  async present(environmentId: EnvironmentId, settings: ProjectSettings): Promise<ProjectSettings> {
    const presented = await this.assemble(environmentId, async () => settings, { nameDomain: undefined });
    if (!presented) throw notFound();
    return presented;
  }

  /** On this instance the next caller reads fresh data; on others, within a second. */
  forget(environmentId: EnvironmentId): void {
    this.recent.forget(environmentId);
  }

  private async assemble(
    environmentId: EnvironmentId,
    read: () => Promise<ProjectSettings>,
    replaced: ClientSettingsSections = {},
  ): Promise<ProjectSettings | null> {
    const environment = await this.tenants.findEnvironment(environmentId);
    if (!environment) return null;
    const [settings, sections] = await Promise.all([read(), this.sources.read(environmentId)]);
    const { kind } = environment;
    return toClientSettings(settings, {
      ...(kind !== 'console' && { environmentName: kind }),
      providers: [],
      ...sections,
      ...replaced,
    });
  }
}
