/** A network as data. */
export interface CatalogueNetwork {
  /** The chain as the settings of an environment name it. */
  chain: string;
  /** The network's number in the settings, unique within its chain. */
  networkId: number;
  /** CAIP-2: the namespace of the chain and the reference of the network in it. */
  caip2: `${string}:${string}`;
  /** The network's own identifier; its number if it has no other. */
  chainId: string;
  name: string;
  shortName: string;
  isTestnet: boolean;
  currency: { name: string; symbol: string; decimals: number; denom?: string };
  rpcUrl: string;
  explorerUrl: string;
  genesisHash?: string;
  /** The cluster's name in the chain's client libraries. */
  cluster?: string;
  bech32Prefix?: string;
  /** Where names of accounts are looked up on the network itself. */
  nameService?: { registry: string };
  /** The REST interface next to the RPC one. */
  lcdUrl?: string;
}
