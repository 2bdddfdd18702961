import type { Chain } from '../../src/identity/index.js';

const EVM = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const HEX = `0x00${'aB'.repeat(31)}`;
const SHORT_HEX = `0x${'ab'.repeat(31)}`;
const EQUAL_HEX = [HEX, HEX.toLowerCase(), `0X${HEX.slice(2).toUpperCase()}`, SHORT_HEX, `0x0${SHORT_HEX.slice(2)}`];
const SOLANA = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
const BITCOIN = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const LEGACY = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
const COSMOS = 'osmo1fl48vsnmsdzcv85q5d2q4z5ajdha8yu3aq6l09';
const SPARK = 'sp1pgss9qytl36npc30wts4kqxpdaaez7p7g2q5nh2ykzn6vfzd6f5x9ms0v7u4qs';
const ALGORAND = 'VCMJKWOY5P5P7SKMZFFOCEROPJCZOTIJMNIYNUCKH7LRO45JMJP6UYBIJA';
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const TRON_HEX = '41a614f803b6fd780986a42c78ec9c7f77e6ded13c';
const TON = [
  'UQCNWLNcjB7mqmaccPu742w7wq87Dc0SMCmpFkOETcXCrlJb',
  'EQCNWLNcjB7mqmaccPu742w7wq87Dc0SMCmpFkOETcXCrg-e',
  'EQCNWLNcjB7mqmaccPu742w7wq87Dc0SMCmpFkOETcXCrg+e',
  '0:8d58b35c8c1ee6aa669c70fbbbe36c3bc2af3b0dcd123029a91643844dc5c2ae',
  '0:8D58B35C8C1EE6AA669C70FBBBE36C3BC2AF3B0DCD123029A91643844DC5C2AE',
];

/** By chain: the spellings of one address, and texts that are none of them though they look like it. */
export const SPELLED_ADDRESSES: Record<Chain, [equal: string[], others: string[]]> = {
  ETH: [[EVM, EVM.toLowerCase(), EVM.toUpperCase()], [`${EVM.slice(0, -1)}9`]],
  EVM: [[EVM, EVM.toLowerCase(), EVM.toUpperCase()], [`${EVM.slice(0, -1)}9`]],
  FLOW: [['0x0ae53cb6e3f42a79', '0xae53cb6e3f42a79', '0x0AE53CB6E3F42A79'], ['0xae53cb6e3f42a790']],
  STARK: [EQUAL_HEX, [`${HEX}0`, `${SHORT_HEX}00`]],
  SUI: [EQUAL_HEX, [`${HEX}0`, `${SHORT_HEX}00`]],
  APTOS: [EQUAL_HEX, [`${HEX}0`, `${SHORT_HEX}00`]],
  SOL: [[SOLANA], [SOLANA.toLowerCase(), SOLANA.toUpperCase()]],
  ECLIPSE: [[SOLANA], [SOLANA.toLowerCase(), SOLANA.toUpperCase()]],
  BTC: [
    [BITCOIN, BITCOIN.toUpperCase()],
    [LEGACY, LEGACY.toLowerCase(), `t${BITCOIN.slice(1)}`],
  ],
  COSMOS: [[COSMOS, COSMOS.toUpperCase()], [`cosmos${COSMOS.slice(4)}`]],
  SPARK: [[SPARK, SPARK.toUpperCase()], [`spt${SPARK.slice(2)}`]],
  ALGO: [[ALGORAND], [ALGORAND.toLowerCase()]],
  TRON: [
    [TRON, TRON_HEX, TRON_HEX.toUpperCase()],
    [TRON.toLowerCase(), TRON.toUpperCase(), `42${TRON_HEX.slice(2)}`, `${TRON.slice(0, -1)}u`],
  ],
  TON: [TON, [TON[0]!.toLowerCase(), `-1:${TON[3]!.slice(2)}`, `${TON[0]!.slice(0, -1)}c`]],
};
