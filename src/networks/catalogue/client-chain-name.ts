/** Where the name that clients know is not the name of the chain in lower case. */
const CLIENT_NAMES: Readonly<Record<string, string>> = {
  ETH: 'evm',
  SOL: 'solana',
  BTC: 'bitcoin',
  STARK: 'starknet',
};

/** What clients call a chain in `chainName` of networks and in paths: `solana` for `SOL`. */
export const clientChainName = (chain: string): string => CLIENT_NAMES[chain] ?? chain.toLowerCase();
