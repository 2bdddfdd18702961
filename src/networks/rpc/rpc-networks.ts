import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { EnvironmentSettingsReader, type ChainSettings } from '../../environments/index.js';
import { RecentLookups } from '../../common/recent-lookups.js';
import { findCatalogued } from '../catalogue/chain-catalogue.js';
import type { CustomNetworkRow } from '../custom-network.entity.js';
import { OrganizationNetworks } from '../organization-networks.js';
import type { NetworkRef } from './chain-reader.js';
import { ChainUnreadableError } from './chain-unreadable.error.js';

/** A network with the nodes that are asked about it, whatever they speak. */
export interface AskedNetwork {
  /** Equal for networks that use the same nodes. */
  key: string;
  name: string;
  nativeDecimals: number;
  nativeSymbol: string;
  explorerUrl?: string;
  /** At most two: the one in the environment's settings, then that of the catalogue or organization. */
  urls: readonly string[];
  /** What its nodes must report: the chain id in hex or the genesis hash; null if unknown. */
  identity: string | null;
}

/** A network as its nodes are queried. */
export interface RpcNetwork extends AskedNetwork {
  family: 'evm' | 'solana';
}

type Known = Omit<AskedNetwork, 'key' | 'urls'> & { rpcUrl: string };

const FAMILIES: Readonly<Record<string, RpcNetwork['family']>> = {
  EVM: 'evm',
  ETH: 'evm',
  SOL: 'solana',
  ECLIPSE: 'solana',
};
const NAMES: Readonly<Record<string, string>> = { ETH: 'EVM' };
const MAX_ENVIRONMENTS = 1_000;
const MAX_AGE_MS = 1_000;

/**
 * The same nodes with a separate circuit breaker: failures caused by strangers must not block them for others, least of
 * all to other environments.
 */
export const apartOf = (network: RpcNetwork, environmentId: EnvironmentId): RpcNetwork => ({
  ...network,
  key: `apart ${environmentId} ${network.key}`,
});

/** The networks of an environment: those of the catalogue and of its organization, with the nodes it has chosen. */
@Injectable()
export class RpcNetworks {
  private readonly custom: RecentLookups<EnvironmentId, CustomNetworkRow[]>;

  constructor(
    private readonly settings: EnvironmentSettingsReader,
    own: OrganizationNetworks,
  ) {
    this.custom = new RecentLookups({ max: MAX_ENVIRONMENTS, ttlMs: MAX_AGE_MS, find: (id) => own.of(id) });
  }

  /** @throws ChainUnreadableError `unknown_network` */
  async get(environmentId: EnvironmentId, network: NetworkRef): Promise<RpcNetwork> {
    const found = await this.find(environmentId, network);
    if (!found) throw new ChainUnreadableError('unknown_network', 'the environment has no such network');
    return found;
  }

  async find(environmentId: EnvironmentId, network: NetworkRef): Promise<RpcNetwork | null> {
    const family = FAMILIES[network.chain];
    const found = family ? await this.findAsked(environmentId, network) : null;
    return family && found ? { ...found, family } : null;
  }

  /**
   * A network of any chain. At most a second old. The organization's network overrides one of the catalogue with the same
   * number.
   */
  async findAsked(environmentId: EnvironmentId, { chain, networkId }: NetworkRef): Promise<AskedNetwork | null> {
    const name = NAMES[chain] ?? chain;
    const known = (await this.customOf(environmentId, name, networkId)) ?? catalogued(name, networkId);
    if (!known) return null;
    const { rpcUrl, ...network } = known;
    const chosen = chosenUrl((await this.settings.get(environmentId)).chains, name, networkId);
    const urls = [...new Set([...(chosen ? [chosen] : []), rpcUrl])];
    return { ...network, key: `${name}:${networkId} ${urls.join(' ')}`, urls };
  }

  private async customOf(environmentId: EnvironmentId, chain: string, networkId: number): Promise<Known | null> {
    const rows = (await this.custom.get(environmentId)) ?? [];
    const row = rows.find(
      ({ networkType, chainId }) => (NAMES[networkType] ?? networkType) === chain && chainId === String(networkId),
    );
    if (!row) return null;
    return {
      name: row.chainName,
      nativeDecimals: row.nativeCurrencyDecimals,
      nativeSymbol: row.nativeCurrencySymbol,
      explorerUrl: row.blockExplorerUrl,
      rpcUrl: row.rpcUrl,
      identity: chain === 'EVM' ? chainIdOf(networkId) : null,
    };
  }
}

/** EIP-695: what `eth_chainId` answers. */
const chainIdOf = (networkId: number): string => `0x${networkId.toString(16)}`;

/** A network as the service knows it. */
export function catalogued(chain: string, networkId: number): Known | null {
  const network = findCatalogued(chain, networkId);
  return (
    network && {
      name: network.name,
      nativeDecimals: network.currency.decimals,
      nativeSymbol: network.currency.symbol,
      explorerUrl: network.explorerUrl,
      rpcUrl: network.rpcUrl,
      identity: chain === 'EVM' ? chainIdOf(networkId) : (network.genesisHash ?? null),
    }
  );
}

function chosenUrl(chains: readonly ChainSettings[], chain: string, networkId: number): string | undefined {
  const networks = chains.find(({ name }) => name === chain)?.networks ?? [];
  return networks.find((network) => network.networkId === networkId)?.rpcUrl;
}
