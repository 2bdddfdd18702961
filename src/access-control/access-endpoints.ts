import type { Config } from '../config/index.js';
import { CATALOGUE, type VendorEndpoint } from '../networks/index.js';
import { SANCTIONS_API } from './screening/sanctions-api.js';

/** The default RPC nodes for gate balances, unless an environment configures its own. */
const USUAL: readonly { vendor: string; chain: string; networkId: number }[] = [
  { vendor: 'evm-node', chain: 'EVM', networkId: 1 },
  { vendor: 'solana-node', chain: 'SOL', networkId: 101 },
];

/** The endpoints that gates and screening call by default, for checking a deployment. */
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
