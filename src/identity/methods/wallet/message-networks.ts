import type { ChainSettings } from '../../../environments/index.js';
import { CATALOGUE, type CatalogueNetwork } from '../../../networks/index.js';
import type { Chain } from '../../vocabulary/chains.js';

/** The settings know one chain for what requests may call either name. */
const nameOf = (chain: Chain): string => (chain === 'ETH' ? 'EVM' : chain);

/** The numbers of the networks that an environment has enabled for a chain; null when the chain itself is not. */
export function enabledNetworks(chains: readonly ChainSettings[], chain: Chain): number[] | null {
  const settings = chains.find(({ name }) => name === nameOf(chain));
  if (!settings?.enabled) return null;
  return (settings.networks ?? []).filter(({ enabled }) => enabled).map(({ networkId }) => networkId);
}

/** The networks that count where the settings name none of a chain whose signatures are the same on all of them. */
export const mainNetworks = (chain: Chain): number[] =>
  CATALOGUE.filter((known) => known.chain === nameOf(chain) && !known.isTestnet).map(({ networkId }) => networkId);

/**
 * The number of the network that a message or a request names. On EVM that is the number of EIP-155; elsewhere wallets
 * write it in several ways: `mainnet`, `solana:mainnet`, the CAIP-2 id, its reference, or our own number.
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

/** `mainnet` for what libraries of Solana call `mainnet-beta`, and for the main network of chains without clusters. */
function commonNameOf({ cluster, isTestnet }: CatalogueNetwork): string {
  if (cluster) return cluster.replace(/-beta$/, '');
  return isTestnet ? 'testnet' : 'mainnet';
}
