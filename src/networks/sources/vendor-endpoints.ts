import type { Config } from '../../config/index.js';
import { RATE_SOURCES } from '../rates/rate-sources.js';

/** An address outside that the service asks by itself, for those who check a deployment. */
export interface VendorEndpoint {
  /** The name in figures and errors. */
  vendor: string;
  url: string;
  /** Whether a setting names it; the others are asked unless somebody names another. */
  isChosen: boolean;
}

/** Every vendor of chain data that the settings name, or that is asked without a setting. Addresses may hold keys. */
export function vendorEndpoints(config: Config): VendorEndpoint[] {
  const own = config.get('PROVIDER_ADDRESSES');
  const isAddress = (place: string): boolean => /^https?:\/\//.test(place);
  const lists = (vendor: string, places: readonly string[]): VendorEndpoint[] =>
    places.filter(isAddress).map((url) => ({ vendor, url, isChosen: true }));
  const indexers = Object.values(config.get('CHAIN_INDEXERS')).flatMap(({ balances, history }) => [
    ...lists('balances-indexer', balances ? [balances] : []),
    ...lists('history-indexer', history ? [history] : []),
  ]);
  return [
    ...RATE_SOURCES.map(({ name, url }) => ({ vendor: name, url: own[name]?.api ?? url, isChosen: !!own[name]?.api })),
    ...lists('token-list', config.get('TOKEN_LISTS')),
    ...lists('site-list', [...config.get('SCAN_BLOCK_LISTS'), ...config.get('SCAN_ALLOW_LISTS')]),
    ...indexers,
  ];
}
