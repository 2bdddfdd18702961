import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../auth/index.js';
import type { ClientSettingsSources as Sections } from './settings/client-settings.js';

/** Sections of the client settings that are stored in other records. */
export type ClientSettingsSections = Partial<Omit<Sections, 'environmentName'>>;

/** Provides sections of the client settings. Only declared fields of enabled records are published. */
export abstract class ClientSettingsSource {
  abstract read(environmentId: EnvironmentId): Promise<ClientSettingsSections>;
}

/** Contexts above register their sources here at start-up. */
@Injectable()
export class ClientSettingsSources {
  private readonly sources: ClientSettingsSource[] = [];

  register(source: ClientSettingsSource): void {
    this.sources.push(source);
  }

  /** The sections of all sources, queried concurrently. */
  async read(environmentId: EnvironmentId): Promise<ClientSettingsSections> {
    const sections = await Promise.all(this.sources.map((source) => source.read(environmentId)));
    return Object.assign({}, ...sections) as ClientSettingsSections;
  }
}
