import type { Config } from '../config/index.js';
import { CATALOGUE, type VendorEndpoint } from '../networks/index.js';
import { SANCTIONS_API } from './screening/sanctions-api.js';

/** Where balances are read for gates, unless an environment names nodes of its own. */
const USUAL: readonly { vendor: string; chain: string; networkId: number }[] = [
  { vendor: 'evm-node', chain: 'EVM', networkId: 1 },
  { vendor: 'solana-node', chain: 'SOL', networkId: 101 },
];

/** What gates and screening ask by themselves, for those who check a deployment. */
export function accessEndpoints(config: Config): VendorEndpoint[] {
  const nodes = USUAL.flatMap(({ vendor, chain, networkId }) =>
    CATALOGUE.filter((network) => network.chain === chain && network.networkId === networkId).map(({ rpcUrl }) => ({
      ...{ vendor, url: rpcUrl, isChosen: false },
    })),
  );
  if (config.get('SANCTIONS_API_KEY') === null) return [...nodes, { vendor: 'sanctions', url: null, isChosen: false }];
  const url = config.get('PROVIDER_ADDRESSES')['sanctions']?.api ?? SANCTIONS_API;
  return [...nodes, { vendor: 'sanctions', url, isChosen: true }];
}
