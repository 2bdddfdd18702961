import { NAMED_NETWORKS } from '../network-names.js';

/** https://support.kraken.com/articles/360001185506: X precedes older cryptocurrencies, Z national currencies. */
const LEGACY = /^(?:X(ETC|ETH|LTC|MLN|REP|XBT|XDG|XLM|XMR|XRP|ZEC)|Z(AUD|CAD|EUR|GBP|JPY|USD))$/;
const OWN: ReadonlyMap<string, string> = new Map([
  ['XBT', 'BTC'],
  ['XDG', 'DOGE'],
]);
const ASSETS = new Map([...OWN].map(([asset, symbol]) => [symbol, asset]));

/** The usual symbol of an asset; staked assets keep their suffix. */
export function symbolOf(asset: string): string {
  const [name = '', ending] = asset.split('.');
  const [, coin, money] = LEGACY.exec(name) ?? [];
  const plain = coin ?? money ?? name;
  return `${OWN.get(plain) ?? plain}${ending ? `.${ending}` : ''}`;
}

export const assetOf = (symbol: string): string => ASSETS.get(symbol) ?? symbol;

/**
 * Networks by their names in the vendor's withdrawal methods. Includes networks without a name in this service, so that
 * a method on one of them is not taken for one on the network whose coin it moves.
 */
const WORDS: Readonly<Record<string, string>> = {
  bitcoin: 'bitcoin|xbt',
  ethereum: 'ethereum|erc.?20|ether',
  arbitrum: 'arbitrum',
  'avalanche-c-chain': 'avalanche',
  base: 'base',
  bnb: 'bnb|bsc|bep.?20|binance',
  optimism: 'optimism',
  polygon: 'polygon|matic',
  unichain: 'unichain',
  algorand: 'algorand',
  aptos: 'aptos',
  flow: 'flow',
  solana: 'solana|spl',
  sui: 'sui',
  ton: 'ton|toncoin',
  tron: 'tron|trc.?20',
  'arbitrum-nova': 'arbitrum nova',
  'avalanche-other': 'avalanche [px].?chain',
  'bitcoin-other': 'bitcoin (?:cash|gold|sv)|lightning',
  'ethereum-other': 'ether(?:eum)? ?(?:classic|pow)|ethw|sepolia|holesky|hoodi',
  abstract: 'abstract',
  polkadot: 'asset ?hub|polkadot|statemint',
  berachain: 'berachain',
  blast: 'blast',
  celo: 'celo',
  cosmos: 'cosmos|noble|osmosis',
  cronos: 'cronos',
  fantom: 'fantom|opera',
  gnosis: 'gnosis',
  hedera: 'hedera',
  hyperliquid: 'hyperliquid|hyperevm',
  ink: 'ink',
  kaia: 'kaia|klaytn',
  linea: 'linea',
  mantle: 'mantle',
  monad: 'monad',
  moonbeam: 'moonbeam|moonriver',
  near: 'near',
  plasma: 'plasma',
  ronin: 'ronin',
  scroll: 'scroll',
  sei: 'sei',
  soneium: 'soneium',
  sonic: 'sonic',
  starknet: 'starknet',
  stellar: 'stellar',
  tezos: 'tezos',
  world: 'world ?chain',
  xrp: 'ripple|xrp',
  zksync: 'zksync',
};
const NETWORKS = Object.entries(WORDS).map(([name, words]): readonly [string, RegExp] => [
  name,
  new RegExp(`\\b(?:${words})\\b`, 'i'),
]);

/**
 * The networks named in a text. Bitcoin and Ethereum are also coins, moved on other networks as well: next to another
 * network they mean nothing, unless it is about Ethereum tokens.
 */
function networksIn(text: string): readonly string[] {
  const named = NETWORKS.filter(([, words]) => words.test(text)).map(([name]) => name);
  const isTokenOfEthereum = /\berc.?20\b/i.test(text);
  const certain = named.filter((name) => name !== 'bitcoin' && (name !== 'ethereum' || isTokenOfEthereum));
  if (certain.length > 0) return certain;
  return named.includes('ethereum') ? ['ethereum'] : named;
}

/** Whether a withdrawal method, in the vendor's words, uses this network and certainly no other. */
export function isOnNetwork(method: string, network: string): boolean {
  const [ways, sought] = [networksIn(method), networksIn(network)];
  const [name] = sought;
  if (ways.length > 1 || sought.length > 1 || ways[0] !== name) return false;
  // A network without a name here may be one of several similar ones.
  return (name !== undefined && NAMED_NETWORKS.includes(name)) || hasWords(method, network);
}

/** `sought` comes from a request, so it is compared as words, never as a pattern. */
function hasWords(text: string, sought: string): boolean {
  const [all, some] = [text, sought].map((one) => (one.toLowerCase().match(/[a-z0-9]+/g) ?? []).join(' '));
  return some !== '' && ` ${all} `.includes(` ${some} `);
}
