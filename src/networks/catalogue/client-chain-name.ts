/** Chains whose name for clients is not the chain's name in lower case. */
const CLIENT_NAMES: Readonly<Record<string, string>> = {
  ETH: 'evm',
  SOL: 'solana',
  BTC: 'bitcoin',
  STARK: 'starknet',
};

/** A chain's name for clients, in `chainName` of networks and in paths: `solana` for `SOL`. */
export const clientChainName = (chain: string): string => CLIENT_NAMES[chain] ?? chain.toLowerCase();
