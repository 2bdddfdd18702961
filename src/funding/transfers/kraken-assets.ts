/** https://support.kraken.com/articles/360001185506: X stands before currencies of old, Z before money of states. */
const LEGACY = /^(?:X(ETC|ETH|LTC|MLN|REP|XBT|XDG|XLM|XMR|XRP|ZEC)|Z(AUD|CAD|EUR|GBP|JPY|USD))$/;
const OWN: Readonly<Record<string, string>> = { XBT: 'BTC', XDG: 'DOGE' };
const ASSETS: Readonly<Record<string, string>> = { BTC: 'XBT', DOGE: 'XDG' };

/** The symbol that others have for an asset; what is staked keeps its ending. */
export function symbolOf(asset: string): string {
  const [name = '', ending] = asset.split('.');
  const [, coin, money] = LEGACY.exec(name) ?? [];
  const plain = coin ?? money ?? name;
  return `${OWN[plain] ?? plain}${ending ? `.${ending}` : ''}`;
}

export const assetOf = (symbol: string): string => ASSETS[symbol] ?? symbol;

const WORDS: Readonly<Record<string, RegExp>> = {
  ethereum: /ethereum|erc.?20|ether\b/i,
  bitcoin: /bitcoin|xbt/i,
  'avalanche-c-chain': /avalanche/i,
};

/** Whether a way out, in the words of the vendor, leads over a network: another network that is named counts first. */
export function isOnNetwork(method: string, network: string): boolean {
  const others = ['base', 'arbitrum', 'optimism', 'polygon', 'solana', 'unichain'].filter((name) => name !== network);
  if (others.some((name) => new RegExp(`\\b${name}\\b`, 'i').test(method))) return false;
  return (WORDS[network] ?? new RegExp(`\\b${network}\\b`, 'i')).test(method);
}
