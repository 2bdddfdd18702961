import type { CatalogueNetwork } from './catalogue-network.js';
import { EVM_NETWORKS } from './evm-networks.js';
import { OTHER_NETWORKS } from './other-networks.js';

/** Every network the service knows without configuration, as data. */
export const CATALOGUE: readonly CatalogueNetwork[] = [...EVM_NETWORKS, ...OTHER_NETWORKS];

const byNumber = new Map(CATALOGUE.map((network) => [keyOf(network.chain, network.networkId), network]));

export const findCatalogued = (chain: string, networkId: number): CatalogueNetwork | null =>
  byNumber.get(keyOf(chain, networkId)) ?? null;

function keyOf(chain: string, networkId: number): string {
  return `${chain} ${networkId}`;
}
