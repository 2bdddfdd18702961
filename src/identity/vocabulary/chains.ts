import { defineEnum } from '../../common/fields/index.js';
import { CHAINS, type Chain } from '../../networks/index.js';

export { CHAINS, type Chain };

/** What an address beside the main one of a wallet is for. */
export const WALLET_ADDRESS_TYPES = defineEnum('WalletAddressType', ['ordinals', 'payment', 'cosmos', 'evm']);

/** The CAIP-2 namespace of each chain, or its name in lower case where there is none: what its addresses belong to. */
export const CHAIN_NAMESPACES: Readonly<Record<Chain, string>> = {
  ETH: 'eip155',
  EVM: 'eip155',
  FLOW: 'flow',
  SOL: 'solana',
  ALGO: 'algorand',
  STARK: 'starknet',
  COSMOS: 'cosmos',
  BTC: 'bip122',
  ECLIPSE: 'eclipse',
  SUI: 'sui',
  SPARK: 'spark',
  TRON: 'tron',
  APTOS: 'aptos',
  TON: 'ton',
};

/** The namespace that clients are told for a chain: by its name, or the namespace itself. */
export const namespaceOf = (chain: string): string => CHAIN_NAMESPACES[chain as Chain] ?? chain;

/** Under which texts a stored address may be of the chain: its namespace, and every name that has it. */
export const storedNamesOf = (chain: Chain): readonly string[] => {
  const namespace = CHAIN_NAMESPACES[chain];
  return [namespace, ...CHAINS.values.filter((name) => CHAIN_NAMESPACES[name] === namespace)];
};

/** The chain of a namespace, or of the name of a chain: `EVM` for `eip155` and `ETH`. Null for what is no chain. */
export function chainOf(namespace: string): Chain | null {
  const named = namespaceOf(namespace);
  return CHAINS.values.find((chain) => chain !== 'ETH' && CHAIN_NAMESPACES[chain] === named) ?? null;
}

/** Whether addresses of a namespace are written with and without capitals, which carry nothing but a checksum (EIP-55). */
export const ignoresCase = (namespace: string): boolean => namespace === 'eip155';
