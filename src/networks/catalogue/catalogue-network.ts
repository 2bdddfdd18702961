/** A network as data. */
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
