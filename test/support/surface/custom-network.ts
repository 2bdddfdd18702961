import { randomBytes } from 'node:crypto';

/** A network with a unique number. */
export const customNetwork = (marker: string) => ({
  networkType: 'EVM',
  chainName: marker,
  chainId: String(randomBytes(6).readUIntBE(0, 6)),
  rpcUrl: `https://rpc.${marker}.example.com/v1`,
  blockExplorerUrl: `https://explorer.${marker}.example.com`,
  iconUrl: `https://${marker}.example.com/icon.svg`,
  nativeCurrencyName: 'Ether',
  nativeCurrencySymbol: 'ETH',
  nativeCurrencyIconUrl: `https://${marker}.example.com/ether.svg`,
  nativeCurrencyDecimals: 18,
});
