import type { ChainSettings } from '../../../environments/index.js';
import { CATALOGUE, type CatalogueNetwork } from '../../../networks/index.js';
import type { Chain } from '../../vocabulary/chains.js';

/** Requests may use either of two names for a chain that has one name in the settings. */
const nameOf = (chain: Chain): string => (chain === 'ETH' ? 'EVM' : chain);

/** The ids of the networks that an environment has enabled for a chain; null if the chain itself is not enabled. */
export function enabledNetworks(chains: readonly ChainSettings[], chain: Chain): number[] | null {
  const settings = chains.find(({ name }) => name === nameOf(chain));
  if (!settings?.enabled) return null;
  return (settings.networks ?? []).filter(({ enabled }) => enabled).map(({ networkId }) => networkId);
}

/** The networks used if the settings name none for a chain whose signatures are the same on all of them. */
export const mainNetworks = (chain: Chain): number[] =>
  CATALOGUE.filter((known) => known.chain === nameOf(chain) && !known.isTestnet).map(({ networkId }) => networkId);

/**
 * The id of the network that a message or request names. On EVM that is the EIP-155 chain id; elsewhere wallets write
 * it in several ways: `mainnet`, `solana:mainnet`, the CAIP-2 id, its reference, or our own id.
 */
export function networkOf(chain: Chain, text: string, among: readonly number[]): number | null {
  const name = nameOf(chain);
  return among.find((networkId) => spellingsOf(name, networkId).includes(text)) ?? null;
}

function spellingsOf(chain: string, networkId: number): string[] {
  const network = CATALOGUE.find((known) => known.chain === chain && known.networkId === networkId);
  if (chain === 'EVM' || !network) return [String(networkId)];
  const { caip2, chainId } = network;
  const [namespace, reference = ''] = caip2.split(':');
  const common = commonNameOf(network);
  return [String(networkId), chainId, caip2, reference, common, `${namespace}:${common}`];
}

/** `mainnet` for what Solana libraries call `mainnet-beta`, and for the main network of chains without clusters. */
function commonNameOf({ cluster, isTestnet }: CatalogueNetwork): string {
  if (cluster) return cluster.replace(/-beta$/, '');
  return isTestnet ? 'testnet' : 'mainnet';
}
