import { describe, expect, it } from '@jest/globals';
import { getAddress, toHex, type Address } from 'viem';
import type { EnvironmentId } from '../../auth/index.js';
import type { ChainReader, EvmRead } from '../rpc/chain-reader.js';
import type { TokenFactsReader } from '../tokens/token-facts.js';
import type { TokenLists } from '../tokens/token-lists.js';
import { EvmHoldings } from './evm-holdings.js';
import type { HoldingsQuestion } from './holding.js';

const addressOf = (number: number): Address => getAddress(toHex(BigInt(number), { size: 20 }));
const LISTED = Array.from({ length: 600 }, (_, at) => ({
  ...{ chain: 'EVM' as const, networkId: 1, address: addressOf(at + 1), name: `Token ${at}`, symbol: `T${at}` },
  ...{ decimals: 18, logoURI: '' },
}));
const STRANGER = addressOf(9_999);
const EXACT = 2n ** 255n + 1n;

const asked: number[] = [];
const chains = {
  multicall: async (_: EnvironmentId, __: number, reads: readonly EvmRead[]) => {
    asked.push(reads.length);
    return reads.map(() => ({ value: toHex(EXACT, { size: 32 }), blockNumber: 1n, readAt: 0 }));
  },
} as Partial<ChainReader> as ChainReader;
const lists = { of: async () => LISTED } as Partial<TokenLists> as TokenLists;
const facts = {
  read: async (_: EnvironmentId, __: number, wanted: readonly string[]) =>
    new Map(wanted.map((address) => [address, { name: 'USD Coin', symbol: 'USDC', decimals: 6 }])),
} as Partial<TokenFactsReader> as TokenFactsReader;
const holdings = new EvmHoldings(chains, lists, facts);
const read = (contracts: string[]) =>
  holdings.read({
    ...{ environmentId: 'e' as EnvironmentId, account: addressOf(7), contracts, fresh: false },
    network: { networkId: 1, family: 'evm', nativeSymbol: 'ETH', nativeDecimals: 18 } as HoldingsQuestion['network'],
  });

describe('holdings on EVM', () => {
  it('of a list that is longer than what is looked at are still listed where somebody asks for them', async () => {
    const last = LISTED.at(-1)!.address;
    expect((await read([])).some(({ address }) => address === last)).toBe(false);
    const found = (await read([last.toLowerCase(), last])).filter(({ address }) => address === last);
    expect(found).toEqual([expect.objectContaining({ symbol: 'T599', isListed: true, raw: EXACT })]);
    // The currency and five hundred tokens, at once.
    expect(asked).toEqual([501, 501]);
  });

  it('that no list has are called what they call themselves, and are not listed by it', async () => {
    const found = (await read([STRANGER, 'nonsense', '0x12'])).filter(({ address }) => address === STRANGER);
    expect(found).toEqual([expect.objectContaining({ symbol: 'USDC', isListed: false })]);
  });
});
