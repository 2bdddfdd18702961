import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../database/index.js';
import { ClientSettingsSource, ClientSettingsSources, type ClientSettingsSections } from '../environments/index.js';
import { ProvidersRepository } from './providers.repository.js';

/** Tells applications which ways to sign in there are. What of a record is public, the settings decide. */
@Injectable()
export class ClientProviders extends ClientSettingsSource {
  constructor(
    private readonly providers: ProvidersRepository,
    sources: ClientSettingsSources,
  ) {
    super();
    sources.register(this);
  }

  override async read(environmentId: EnvironmentId): Promise<ClientSettingsSections> {
    return { providers: await this.providers.listAll(environmentId) };
  }
}
