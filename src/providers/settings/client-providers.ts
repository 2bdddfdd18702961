import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { ClientSettingsSource, ClientSettingsSources, type ClientSettingsSections } from '../../environments/index.js';
import { ProviderView } from './provider-view.js';
import { ProvidersRepository } from './providers.repository.js';

/** Publishes the enabled providers to applications, with the fields their types publish. */
@Injectable()
export class ClientProviders extends ClientSettingsSource {
  constructor(
    private readonly providers: ProvidersRepository,
    private readonly view: ProviderView,
    sources: ClientSettingsSources,
  ) {
    super();
    sources.register(this);
  }

  override async read(environmentId: EnvironmentId): Promise<ClientSettingsSections> {
    const rows = await this.providers.listAll(environmentId);
    return {
      providers: rows
        .filter(({ enabledAt }) => enabledAt !== null)
        .map((row) => this.view.published(environmentId, row)),
    };
  }
}
