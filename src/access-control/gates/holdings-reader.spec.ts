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
});
