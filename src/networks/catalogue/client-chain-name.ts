import { CHAINS } from './chains.js';

/** Chains whose name for clients is not the chain's name in lower case. */
const CLIENT_NAMES: Readonly<Record<string, string>> = {
  ETH: 'evm',
  SOL: 'solana',
  BTC: 'bitcoin',
  STARK: 'starknet',
};

/** A chain's name for clients, in `chainName` of networks and in paths: `solana` for `SOL`. */
export const clientChainName = (chain: string): string => CLIENT_NAMES[chain] ?? chain.toLowerCase();

const CHAINS_OF_CLIENTS: ReadonlyMap<string, string> = new Map(
  CHAINS.values.filter((chain) => chain !== 'ETH').map((chain) => [clientChainName(chain), chain]),
);

/** The chain that a request names, by its own name or by the one for clients; any other name as it is. */
export const chainOfName = (name: string): string => CHAINS_OF_CLIENTS.get(name) ?? name;
