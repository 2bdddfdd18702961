import { EVM_NETWORKS } from './evm-networks.js';
import { OTHER_NETWORKS } from './other-networks.js';

export interface CatalogueNetwork {
  /** The chain as the settings of an environment name it. */
  chain: string;
  /** The number by which the settings name the network, unique within its chain. */
  networkId: number;
  /** CAIP-2: the namespace of the chain and the reference of the network in it. */
  caip2: `${string}:${string}`;
  /** The network's own identifier; its number where there is no other. */
  chainId: string;
  name: string;
  shortName: string;
  isTestnet: boolean;
  currency: { name: string; symbol: string; decimals: number; denom?: string };
  rpcUrl: string;
  explorerUrl: string;
  genesisHash?: string;
  /** The name of the cluster in libraries of the chain. */
  cluster?: string;
  bech32Prefix?: string;
  /** The REST interface beside the RPC one. */
  lcdUrl?: string;
}

/** Every network the service knows without being told, as data. */
export const CATALOGUE: readonly CatalogueNetwork[] = [...EVM_NETWORKS, ...OTHER_NETWORKS];

const byNumber = new Map(CATALOGUE.map((network) => [keyOf(network.chain, network.networkId), network]));

export const findCatalogued = (chain: string, networkId: number): CatalogueNetwork | null =>
  byNumber.get(keyOf(chain, networkId)) ?? null;

function keyOf(chain: string, networkId: number): string {
  return `${chain} ${networkId}`;
}
