import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import {
  ClientSettingsSource,
  ClientSettingsSources,
  EnvironmentSettingsReader,
  type ChainSettings,
  type ClientSettingsSections,
} from '../../environments/index.js';
import { RecentLookups } from '../../common/recent-lookups.js';
import type { CustomNetworkRow } from '../custom-network.entity.js';
import { OrganizationNetworks } from '../organization-networks.js';
import { networkConfigurations, usesCustomNetworks } from './network-configuration.js';
import type { NetworkConfigurationResponse } from './network-configuration.dto.js';

const MAX_ENVIRONMENTS = 1_000;
const MAX_AGE_MS = 1_000;

/** Gives applications the list of networks, in an operation of its own and in the client settings. */
@Injectable()
export class ClientNetworks extends ClientSettingsSource {
  private readonly recent: RecentLookups<EnvironmentId, NetworkConfigurationResponse[]>;

  constructor(
    private readonly settings: EnvironmentSettingsReader,
    private readonly networks: OrganizationNetworks,
    sources: ClientSettingsSources,
  ) {
    super();
    sources.register(this);
    this.recent = new RecentLookups({ max: MAX_ENVIRONMENTS, ttlMs: MAX_AGE_MS, find: (id) => this.assemble(id) });
  }

  /** At most a second old. */
  async get(environmentId: EnvironmentId): Promise<NetworkConfigurationResponse[]> {
    return (await this.recent.get(environmentId)) ?? [];
  }

  /** Not cached here: the client settings are cached as a whole. */
  override async read(environmentId: EnvironmentId): Promise<ClientSettingsSections> {
    return { networks: await this.assemble(environmentId) };
  }

  private async assemble(environmentId: EnvironmentId): Promise<NetworkConfigurationResponse[]> {
    const { chains } = await this.settings.get(environmentId);
    return networkConfigurations(chains, await this.customOf(environmentId, chains));
  }

  /** Most environments use none, and then no query is made. */
  private async customOf(environmentId: EnvironmentId, chains: readonly ChainSettings[]): Promise<CustomNetworkRow[]> {
    return usesCustomNetworks(chains) ? this.networks.of(environmentId) : [];
  }
}
