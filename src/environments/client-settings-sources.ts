import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../auth/index.js';
import type { ClientSettingsSources as Sections } from './settings/client-settings.js';

/** Sections of the client settings that other records hold. */
export type ClientSettingsSections = Partial<Omit<Sections, 'environmentName'>>;

/** Where a section of the client settings comes from. Only declared fields of enabled records are published. */
export abstract class ClientSettingsSource {
  abstract read(environmentId: EnvironmentId): Promise<ClientSettingsSections>;
}

/** Contexts above register here at start. */
@Injectable()
export class ClientSettingsSources {
  private readonly sources: ClientSettingsSource[] = [];

  register(source: ClientSettingsSource): void {
    this.sources.push(source);
  }

  /** The sections of all sources, which are asked side by side. */
  async read(environmentId: EnvironmentId): Promise<ClientSettingsSections> {
    const sections = await Promise.all(this.sources.map((source) => source.read(environmentId)));
    return Object.assign({}, ...sections) as ClientSettingsSections;
  }
}
