import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { ClientSettingsSource, ClientSettingsSources, type ClientSettingsSections } from '../../environments/index.js';
import { NameServicesRepository } from './name-services.repository.js';

/** Publishes the domain to applications while the environment gives names out. */
@Injectable()
export class ClientNameDomain extends ClientSettingsSource {
  constructor(
    private readonly services: NameServicesRepository,
    sources: ClientSettingsSources,
  ) {
    super();
    sources.register(this);
  }

  override async read(environmentId: EnvironmentId): Promise<ClientSettingsSections> {
    const row = await this.services.find(environmentId, { chain: 'EVM' });
    return row?.enabledAt ? { nameDomain: row.domain } : {};
  }
}
