import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { Config } from '../../config/index.js';
import { EnvironmentSettingsReader } from '../../environments/index.js';
import { OrganizationNetworks } from '../organization-networks.js';
import type { NetworkRef } from './chain-reader.js';
import { catalogued, RpcNetworks, type RpcNetwork } from './rpc-networks.js';

/** Networks whose node can be replaced with `PROVIDER_ADDRESSES`. */
const NAMES: ReadonlyMap<number, string> = new Map([[1, 'ethereum']]);

/** EVM networks of the catalogue with the deployment's nodes, whatever an environment or organization has chosen. */
@Injectable()
export class DeploymentNetworks extends RpcNetworks {
  constructor(
    private readonly config: Config,
    settings: EnvironmentSettingsReader,
    own: OrganizationNetworks,
  ) {
    super(settings, own);
  }

  override async find(_: EnvironmentId, { chain, networkId }: NetworkRef): Promise<RpcNetwork | null> {
    const known = chain === 'EVM' ? catalogued(chain, networkId) : null;
    if (!known) return null;
    const { rpcUrl, ...network } = known;
    const url = this.config.get('PROVIDER_ADDRESSES')[NAMES.get(networkId) ?? '']?.api ?? rpcUrl;
    return { ...network, family: 'evm', key: `deployment ${chain}:${networkId} ${url}`, urls: [url] };
  }
}
