import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { ClientSettingsSource, ClientSettingsSources, type ClientSettingsSections } from '../../environments/index.js';
import { EnabledProviders } from '../../providers/index.js';
import { ExchangesRepository } from './exchanges.repository.js';
import { shown } from './exchanges.service.js';

/** Publishes the exchanges that users can link and pay out from to applications. */
@Injectable()
export class ClientExchanges extends ClientSettingsSource {
  constructor(
    private readonly exchanges: ExchangesRepository,
    private readonly providers: EnabledProviders,
    sources: ClientSettingsSources,
  ) {
    super();
    sources.register(this);
  }

  /** Leaves out exchanges that are on while the provider by which accounts are linked is off. */
  override async read(environmentId: EnvironmentId): Promise<ClientSettingsSections> {
    const rows = (await this.exchanges.listAll(environmentId)).filter(({ enabledAt }) => enabledAt !== null);
    const linking = await Promise.all(
      rows.map(({ socialProvider }) => this.providers.find(environmentId, socialProvider)),
    );
    return { exchanges: rows.filter((_, at) => linking[at] !== null).map(shown) };
  }
}
