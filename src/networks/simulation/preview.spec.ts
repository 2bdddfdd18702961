import { describe, expect, it } from '@jest/globals';
import type { AccountNetwork } from '../account-networks.js';
import type { Approval } from './outcome.js';
import { previewOf } from './preview.js';

const [OWNER, SHOP, USDC, FAKE] = ['0x0A', '0x0B', '0x0C', '0x0D'];
const NETWORK = {
  ...{ chain: 'EVM', networkId: 1, family: 'evm', caip2: 'eip155:1', isTestnet: false, name: 'Ethereum' },
  ...{ nativeSymbol: 'ETH', nativeDecimals: 18, explorerUrl: null, urls: [] },
} satisfies AccountNetwork;
const named = (isListed: boolean) => ({ name: 'USD Coin', symbol: 'USDC', decimals: 6, logoUrl: '', isListed });

describe('what others may take', () => {
  const exposed = (token: string, more: Partial<Approval> = {}, isTestnet = false) => {
    const approval: Approval = { token, kind: 'ERC20', owner: OWNER, spender: SHOP, amount: 1_500_000n, ...more };
    const preview = previewOf({
      network: { ...NETWORK, isTestnet },
      account: OWNER,
      outcome: { movements: [], approvals: [approval], failure: null },
      names: new Map([
        [USDC, named(true)],
        [FAKE, named(false)],
      ]),
      prices: new Map([['USDC', 2]]),
    });
    return preview.assetExposures?.[0]?.spenderToInfo[SHOP];
  };

  it('is told with its worth, if the token is on a list and its rate is known', () => {
    expect(exposed(USDC)).toEqual({ amount: '1.5', usdValue: '3.00' });
    expect(exposed(FAKE)).toEqual({ amount: '1.5' });
    expect(exposed(USDC, {}, true)).toEqual({ amount: '1.5' });
  });

  it('has no worth without a limit, or as an item', () => {
    expect(exposed(USDC, { amount: 'all' })).toEqual({ amount: 'unlimited' });
    expect(exposed(USDC, { kind: 'ERC721', amount: 1n, tokenId: 7n })).toEqual({ amount: '#7' });
  });
});
