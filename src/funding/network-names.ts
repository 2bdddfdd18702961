import { chainOfName } from '../networks/index.js';

/** Networks by the names shared by ramp and exchange vendors, with the symbol of the currency. */
const EVM: Readonly<Record<string, readonly [name: string, symbol: string]>> = {
  '1': ['ethereum', 'ETH'],
  '10': ['optimism', 'ETH'],
  '56': ['bnb', 'BNB'],
  '130': ['unichain', 'ETH'],
  '137': ['polygon', 'POL'],
  '8453': ['base', 'ETH'],
  '42161': ['arbitrum', 'ETH'],
  '43114': ['avalanche-c-chain', 'AVAX'],
};
const OTHERS: Readonly<Record<string, readonly [name: string, symbol: string]>> = {
  SOL: ['solana', 'SOL'],
  BTC: ['bitcoin', 'BTC'],
  SUI: ['sui', 'SUI'],
  APTOS: ['aptos', 'APT'],
  ALGO: ['algorand', 'ALGO'],
  FLOW: ['flow', 'FLOW'],
  TON: ['ton', 'TON'],
  TRON: ['tron', 'TRX'],
};

export const NAMED_NETWORKS: readonly string[] = [...Object.values(EVM), ...Object.values(OTHERS)].map(
  ([name]) => name,
);

export interface NamedNetwork {
  name: string;
  symbol: string;
}

/** Null for a network unknown to all vendors here: a testnet, or one without an entry. */
export function networkNamed(chain: string, networkId?: string | number | null): NamedNetwork | null {
  const key = chainOfName(chain.toLowerCase()).toUpperCase();
  const isEvm = key === 'ETH' || key === 'EVM';
  const [known, name] = isEvm ? [EVM, String(networkId ?? 1)] : [OTHERS, key];
  // The name comes from a request, so it may be a property that every object has.
  const found = Object.hasOwn(known, name) ? known[name] : undefined;
  return found ? { name: found[0], symbol: found[1] } : null;
}
