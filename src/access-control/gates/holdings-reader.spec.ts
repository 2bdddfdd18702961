import { describe, expect, it } from '@jest/globals';
import type { Clock } from '../../common/clock.js';
import type { EnvironmentId } from '../../database/index.js';
import type { ChainReader, RpcNetworks } from '../../networks/index.js';
import { HoldingsReader } from './holdings-reader.js';
import type { HeldRule } from './gate-rules.js';

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const rule: HeldRule = { type: 'token', chain: 'EVM', address: { networkId: 137, contractAddress: ADDRESS } };

describe('what a gate asks of a chain', () => {
  const reader = new HoldingsReader({} as ChainReader, {} as RpcNetworks, { timestamp: () => 0 } as Clock);
  /** Null where the chain has to be read first. */
  const known = (wallet: object) =>
    reader.recall('e' as EnvironmentId, rule, [{ chain: 'EVM', address: ADDRESS, ...wallet }]);

  it('is about wallets that are theirs on its network, and no others', () => {
    expect(known({})).toBeNull();
    expect(known({ networkId: 137 })).toBeNull();
    const none = { verdict: 'notMet', reason: 'no wallet on this chain' };
    expect(known({ networkId: 1 })).toMatchObject(none);
    expect(known({ chain: 'SOL' })).toMatchObject(none);
  });

  it('is known for as long as the answer is less than a minute old, less the time for which it has to last', async () => {
    let now = 0;
    const word = (value: number) => ({
      value: `0x${value.toString(16).padStart(64, '0')}`,
      blockNumber: 1n,
      readAt: 0,
    });
    const chains = { multicall: async () => [word(6), word(1)] } as unknown as ChainReader;
    const networks = { get: async () => ({ nativeDecimals: 18 }) } as unknown as RpcNetworks;
    const own = new HoldingsReader(chains, networks, { timestamp: () => now } as Clock);
    const wallets = [{ chain: 'EVM', address: ADDRESS }];
    await own.prepare('e' as EnvironmentId, [rule], wallets);
    const isKnown = (ageMs: number, validForMs?: number): boolean => {
      now = ageMs;
      return own.recall('e' as EnvironmentId, rule, wallets, validForMs) !== null;
    };
    expect([isKnown(59_999), isKnown(60_000)]).toEqual([true, false]);
    expect([isKnown(44_999, 15_000), isKnown(45_000, 15_000)]).toEqual([true, false]);
  });
});
