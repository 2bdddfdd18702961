import { beforeEach, describe, expect, it } from '@jest/globals';
import { encodeAbiParameters, getAddress, parseAbiParameters, toHex, type Hex } from 'viem';
import type { EnvironmentId } from '../../auth/index.js';
import type { ChainReader, EvmRead } from '../rpc/chain-reader.js';
import type { RpcNetworks } from '../rpc/rpc-networks.js';
import { TokenFactsReader } from './token-facts.js';

const HERE = 'e' as EnvironmentId;
const COIN = getAddress(toHex(7n, { size: 20 }));
const text = (value: string): Hex => encodeAbiParameters(parseAbiParameters('string'), [value]);
const DECIMALS = '0x313ce567';

let node: string;
let decimals: number | null;
let name: string;
let asked: number;
let facts: TokenFactsReader;

const answerTo = (read: EvmRead): Hex | null => {
  if (decimals === null || !('data' in read)) return null;
  return read.data === DECIMALS ? toHex(decimals, { size: 32 }) : text(name);
};
const chains = {
  multicall: async (_: EnvironmentId, __: number, reads: readonly EvmRead[]) => {
    asked += 1;
    return reads.map((read) => ({ value: answerTo(read), blockNumber: 1n, readAt: 0 }));
  },
} as Partial<ChainReader> as ChainReader;
const networks = { get: async () => ({ key: node }) } as never as RpcNetworks;

beforeEach(() => {
  [node, decimals, asked, name] = ['one', 6, 0, 'COIN'];
  facts = new TokenFactsReader(chains, networks);
});

const decimalsNow = async () => (await facts.read(HERE, 31_337, [COIN])).get(COIN)?.decimals;

describe('what a token says of itself', () => {
  it('is asked once', async () => {
    expect([await decimalsNow(), await decimalsNow(), asked]).toEqual([6, 6, 1]);
  });

  it('is what it says on the network that is asked now, and not on the one before', async () => {
    await decimalsNow();
    [node, decimals] = ['another', 18];
    expect(await decimalsNow()).toBe(18);
  });

  it('is asked again where it said nothing: the contract may not have been there yet', async () => {
    decimals = null;
    expect(await decimalsNow()).toBeNull();
    decimals = 6;
    expect(await decimalsNow()).toBe(6);
  });

  it.each([
    [0, 0],
    [37, 37],
    [255, 255],
    [256, null],
  ])('may be any number of decimals that ERC-20 has room for: %d', async (said, read) => {
    decimals = said;
    expect(await decimalsNow()).toBe(read);
  });

  it('is cut between characters: half of one makes JSON that other programs cannot read', async () => {
    name = `${'n'.repeat(99)}\u{1F600}`;
    expect((await facts.read(HERE, 31_337, [COIN])).get(COIN)?.name).toBe('n'.repeat(99));
  });
});
