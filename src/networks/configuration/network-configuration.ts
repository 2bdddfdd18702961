import type { ChainNetworkSettings, ChainSettings } from '../../environments/index.js';
import { findCatalogued } from '../catalogue/chain-catalogue.js';
import type { CatalogueNetwork } from '../catalogue/catalogue-network.js';
import type { CustomNetwork } from '../custom-network.dto.js';
import { clientChainName } from '../catalogue/client-chain-name.js';
import type { NetworkConfiguration, NetworkConfigurationResponse } from './network-configuration.dto.js';

/** Custom networks may use either name; the settings know only one chain for both. */
export const chainOf = (networkType: string): string => (networkType === 'ETH' ? 'EVM' : networkType);

/** Whether any enabled network is one that the organization added. */
export const usesCustomNetworks = (chains: readonly ChainSettings[]): boolean =>
  enabledOf(chains).some(({ networks }) => networks.some(isCustom));

/**
 * What clients need to know about each enabled network of each enabled chain. An entry with no network behind it, such
 * as a deleted custom network, is omitted.
 */
export function networkConfigurations(
  chains: readonly ChainSettings[],
  custom: readonly CustomNetwork[],
): NetworkConfigurationResponse[] {
  const configured = enabledOf(chains).map(({ name, networks }) => ({
    chainName: clientChainName(name),
    networks: networks.flatMap((entry) => configurationOf(name, entry, custom) ?? []),
  }));
  return configured.filter(({ networks }) => networks.length > 0);
}

/** Enabled networks that are neither in the catalogue nor marked as custom. */
export const unknownNetworks = (chains: readonly ChainSettings[]): { chain: string; networkId: number }[] =>
  enabledOf(chains).flatMap(({ name, networks }) =>
    networks
      .filter((entry) => !isCustom(entry) && !findCatalogued(name, entry.networkId))
      .map(({ networkId }) => ({ chain: name, networkId })),
  );

const isCustom = ({ type }: ChainNetworkSettings): boolean => type === 'custom';

function enabledOf(chains: readonly ChainSettings[]): { name: string; networks: ChainNetworkSettings[] }[] {
  return chains
    .filter(({ enabled }) => enabled)
    .map(({ name, networks = [] }) => ({ name, networks: networks.filter(({ enabled }) => enabled) }));
}

function configurationOf(
  chain: string,
  entry: ChainNetworkSettings,
  custom: readonly CustomNetwork[],
): NetworkConfiguration | null {
  const number = String(entry.networkId);
  if (!isCustom(entry)) {
    const known = findCatalogued(chain, entry.networkId);
    return known && { ...ofCatalogue(known), ...chosenIn(entry) };
  }
  const own = custom.find((network) => chainOf(network.networkType) === chain && network.chainId === number);
  return own ? { ...ofOrganization(chain, own), ...chosenIn(entry) } : null;
}

function ofCatalogue(network: CatalogueNetwork): NetworkConfiguration {
  const { currency, caip2, networkId, rpcUrl, explorerUrl, ...shown } = network;
  return {
    ...shown,
    key: caip2,
    chainName: network.name,
    networkId: String(networkId),
    iconUrls: [],
    nativeCurrency: currency,
    rpcUrls: [rpcUrl],
    blockExplorerUrls: [explorerUrl],
  };
}

function ofOrganization(chain: string, network: CustomNetwork): NetworkConfiguration {
  return {
    ...(chain === 'EVM' && { key: `eip155:${network.chainId}` }),
    name: network.chainName,
    chainName: network.chainName,
    shortName: network.chainName,
    chain,
    chainId: network.chainId,
    networkId: network.chainId,
    iconUrls: [network.iconUrl],
    nativeCurrency: {
      name: network.nativeCurrencyName,
      symbol: network.nativeCurrencySymbol,
      decimals: network.nativeCurrencyDecimals,
      iconUrl: network.nativeCurrencyIconUrl,
    },
    rpcUrls: [network.rpcUrl],
    blockExplorerUrls: [network.blockExplorerUrl],
  };
}

/** The parts of a network that the environment's settings override. */
function chosenIn({ chainName, rpcUrl, iconUrl }: ChainNetworkSettings): Partial<NetworkConfiguration> {
  return {
    vanityName: chainName,
    ...(rpcUrl && { privateCustomerRpcUrls: [rpcUrl] }),
    ...(iconUrl && { iconUrls: [iconUrl] }),
  };
}
