import { defineEnum } from '../../common/fields/index.js';
import { CHAINS, type Chain } from '../../networks/index.js';

export { CHAINS, type Chain };

/** Purposes of a wallet's additional addresses. */
export const WALLET_ADDRESS_TYPES = defineEnum('WalletAddressType', ['ordinals', 'payment', 'cosmos', 'evm']);

/** The CAIP-2 namespace of each chain's addresses, or the chain's name in lower case if there is none. */
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

/** The namespace that clients see for a chain, given its name or the namespace itself. */
export const namespaceOf = (chain: string): string => CHAIN_NAMESPACES[chain as Chain] ?? chain;

/** The texts under which an address of the chain may be stored: its namespace, and every name with that namespace. */
export const storedNamesOf = (chain: Chain): readonly string[] => {
  const namespace = CHAIN_NAMESPACES[chain];
  return [namespace, ...CHAINS.values.filter((name) => CHAIN_NAMESPACES[name] === namespace)];
};

/** The chain of a namespace or of a chain name: `EVM` for `eip155` and `ETH`. Null for anything else. */
export function chainOf(namespace: string): Chain | null {
  const named = namespaceOf(namespace);
  return CHAINS.values.find((chain) => chain !== 'ETH' && CHAIN_NAMESPACES[chain] === named) ?? null;
}

/** Whether a namespace's addresses are case-insensitive, with case carrying only a checksum (EIP-55). */
export const ignoresCase = (namespace: string): boolean => namespace === 'eip155';
