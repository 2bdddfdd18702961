import type { Config } from '../../config/index.js';
import { findCatalogued } from '../catalogue/chain-catalogue.js';
import { RATE_SOURCES } from '../rates/rate-sources.js';
import { BLOCKAID_API } from './blockaid.js';
import { isListAddress } from './list-files.js';

/** An outside address that the service queries by itself, for deployment checks. */
export interface VendorEndpoint {
  /** The name in metrics and errors. */
  vendor: string;
  /** Null if none is configured. */
  url: string | null;
  /** Whether a setting names it; the others are defaults. */
  isChosen: boolean;
  /** Where the data comes from instead, if there is no address. */
  elsewhere?: string;
}

/** Default nodes, used if an environment has not chosen its own. */
const USUAL = [
  ['esplora', 'BTC'],
  ['sui-node', 'SUI'],
] as const;

/** Every chain data vendor, configured or not. Addresses may contain keys. */
export function vendorEndpoints(config: Config): VendorEndpoint[] {
  const own = config.get('PROVIDER_ADDRESSES');
  const named = (vendor: string, places: readonly string[]): VendorEndpoint[] => {
    const urls = places.filter(isListAddress);
    if (urls.length > 0) return urls.map((url) => ({ vendor, url, isChosen: true }));
    return [{ vendor, url: null, isChosen: false, ...(places.length > 0 && { elsewhere: 'read from files' }) }];
  };
  const indexers = Object.values(config.get('CHAIN_INDEXERS'));
  const scanner = config.get('BLOCKAID_API_KEY') === null ? [] : [own['blockaid']?.api ?? BLOCKAID_API];
  return [
    ...RATE_SOURCES.map(({ name, url }) => ({ vendor: name, url: own[name]?.api ?? url, isChosen: !!own[name]?.api })),
    ...named('token-list', config.get('TOKEN_LISTS')),
    ...named('site-list', [...config.get('SCAN_BLOCK_LISTS'), ...config.get('SCAN_ALLOW_LISTS')]),
    ...named('blockaid', scanner),
    ...named(
      'balances-indexer',
      indexers.flatMap(({ balances }) => balances ?? []),
    ),
    ...named(
      'history-indexer',
      indexers.flatMap(({ history }) => history ?? []),
    ),
    ...USUAL.map(([vendor, chain]) => ({ vendor, url: findCatalogued(chain, 1)?.rpcUrl ?? null, isChosen: false })),
  ];
}
