import { describe, expect, it } from '@jest/globals';
import { CHAIN_NAMESPACES, type Chain } from '../src/identity/vocabulary/chains.js';
import { addressKey } from '../src/access-control/screening/address-key.js';
import { readEntry, walletKeys } from '../src/access-control/allowlists/entry-keys.js';
import { identifierKeyOf } from '../src/identity/credentials/identifier-key.js';
import { normalAddress as policyAddress } from '../src/wallets/policies/parse-policy-rule.js';
import { normalAddress, spellingsOf, spellingsOnAnyChain } from '../src/common/addresses/normal-address.js';

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
const TON = [
  'UQCNWLNcjB7mqmaccPu742w7wq87Dc0SMCmpFkOETcXCrlJb',
  'EQCNWLNcjB7mqmaccPu742w7wq87Dc0SMCmpFkOETcXCrg-e',
  'EQCNWLNcjB7mqmaccPu742w7wq87Dc0SMCmpFkOETcXCrg+e',
  '0:8d58b35c8c1ee6aa669c70fbbbe36c3bc2af3b0dcd123029a91643844dc5c2ae',
  '0:8D58B35C8C1EE6AA669C70FBBBE36C3BC2AF3B0DCD123029A91643844DC5C2AE',
];

/** By chain: the spellings of one address, and texts that are none of them though they look like it. */
const ADDRESSES: Record<Chain, [equal: string[], others: string[]]> = {
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
  TRON: [[TRON], [TRON.toLowerCase(), TRON.toUpperCase()]],
  TON: [TON, [TON[0]!.toLowerCase(), `-1:${TON[3]!.slice(2)}`, `${TON[0]!.slice(0, -1)}c`]],
};
const CASES = Object.entries(ADDRESSES) as [Chain, [string[], string[]]][];

const keysOf = (walletPublicKey: string): string[] => (readEntry({ walletPublicKey }) as { keys: string[] }).keys;

describe.each(CASES)('addresses of %s', (chain, [equal, others]) => {
  const namespace = CHAIN_NAMESPACES[chain];
  const pairs = equal.flatMap((one) => equal.map((two): [string, string] => [one, two]));

  it('have one normal form, which is its own, and others have others', () => {
    const [normal, ...more] = new Set(equal.map((one) => normalAddress(namespace, one)));
    expect(more).toEqual([]);
    expect(normalAddress(namespace, normal!)).toBe(normal);
    for (const other of others) expect(normalAddress(namespace, other)).not.toBe(normal);
  });

  it('are found by statements in whatever spelling they are stored, and so by what follows the statements', () => {
    for (const [asked, stored] of pairs) {
      // As SQL does it: the stored text, or that in lower case, is among the spellings.
      const found = [stored, stored.toLowerCase()].some((one) => spellingsOf(namespace, asked).includes(one));
      const key = identifierKeyOf({ kind: 'wallet', value: asked, chain });
      const credential = { format: 'blockchain', address: stored, chain, id: '', signInEnabled: true } as const;
      expect([asked, stored, found, key.matches(credential)]).toEqual([asked, stored, true, true]);
      expect(key.identifier).toBe(`${namespace}:${normalAddress(namespace, stored)}`);
    }
    for (const other of others) {
      const spellings = equal.flatMap((one) => spellingsOf(namespace, one));
      expect(spellings).not.toContain(other);
    }
  });

  it('are the same to allowlists and to screening, which are not told the chain', () => {
    // So short a number could be of any chain.
    const known = chain === 'FLOW' ? equal.filter((one) => one.length === 18) : equal;
    expect(new Set(known.map(addressKey)).size).toBe(1);
    for (const [entry, held] of pairs.filter((pair) => pair.every((one) => known.includes(one)))) {
      expect(walletKeys(held)).toEqual(expect.arrayContaining(keysOf(entry)));
    }
    for (const other of others) expect(addressKey(other)).not.toBe(addressKey(equal[0]!));
  });

  it('are the same to signing policies, and texts that are no address are refused', () => {
    if (!['EVM', 'SOL', 'SUI', 'BTC', 'TON'].includes(chain)) return expect.assertions(0);
    const signing = chain as 'EVM' | 'SOL' | 'SUI' | 'BTC' | 'TON';
    const shown = equal.filter((one) => !one.startsWith('0X'));
    expect(new Set(shown.map((one) => policyAddress(signing, one))).size).toBe(1);
    expect(policyAddress(signing, shown[0]!)).not.toBeNull();
    for (const other of others) expect(policyAddress(signing, other)).not.toBe(policyAddress(signing, shown[0]!));
  });
});

it('leaves text that is no address as it is', () => {
  for (const text of ['', '0x', 'nobody', '0xZZ', `0x${'f'.repeat(65)}`]) {
    for (const namespace of ['solana', 'sui', 'ton', 'bip122', 'flow', 'unknown']) {
      expect(normalAddress(namespace, text)).toBe(text);
    }
    expect(spellingsOnAnyChain(text)).toEqual([text]);
  }
});
