import { describe, expect, it } from '@jest/globals';
import type { AccountNetwork } from '../account-networks.js';
import type { Approval } from './outcome.js';
import { previewOf } from './preview.js';

const [OWNER, SHOP, USDC, FAKE] = ['0x0A', '0x0B', '0x0C', '0x0D'];
const NETWORK = {
  ...{ chain: 'EVM', networkId: 1, family: 'evm', caip2: 'eip155:1', isTestnet: false, name: 'Ethereum' },
  ...{ nativeSymbol: 'ETH', nativeDecimals: 18, isNativeKnown: true, explorerUrl: null, urls: [] },
} satisfies AccountNetwork;
const named = (isListed: boolean) => ({ name: 'USD Coin', symbol: 'USDC', decimals: 6, logoUrl: '', isListed });

describe('what others may take', () => {
  const approvalOf = (token: string, more: Partial<Approval> = {}): Approval => ({
    ...{ token, kind: 'ERC20', owner: OWNER, spender: SHOP, amount: 1_500_000n },
    ...more,
  });
  const shown = (approvals: Approval[], isTestnet = false) =>
    previewOf({
      network: { ...NETWORK, isTestnet },
      account: OWNER,
      outcome: { movements: [], approvals, failure: null },
      names: new Map([
        [USDC, named(true)],
        [FAKE, named(false)],
      ]),
      prices: new Map([['USDC', 2]]),
    });
  const spenderIn = ({ assetExposures }: ReturnType<typeof shown>) => assetExposures?.[0]?.spenderToInfo[SHOP];
  const exposed = (token: string, more: Partial<Approval> = {}, isTestnet = false) =>
    spenderIn(shown([approvalOf(token, more)], isTestnet));

  it('is told with its worth, if the token is on a list and its rate is known', () => {
    expect(exposed(USDC)).toEqual({ amount: '1.5', usdValue: '3.00' });
    expect(exposed(FAKE)).toEqual({ amount: '1.5' });
    expect(exposed(USDC, {}, true)).toEqual({ amount: '1.5' });
  });

  it('is worth a number without an exponent, however much it is', () => {
    const usdValue = '2000000000000000000000.00';
    expect(exposed(USDC, { amount: 10n ** 27n })).toEqual({ amount: '1000000000000000000000', usdValue });
    expect(exposed(USDC, { amount: 1n })).toEqual({ amount: '0.000001', usdValue: '0.00' });
  });

  it('has no worth without a limit, or as an item', () => {
    expect(exposed(USDC, { amount: 'all' })).toEqual({ amount: 'unlimited' });
    expect(exposed(USDC, { kind: 'ERC721', amount: 1n, tokenId: 7n })).toEqual({ amount: '#7' });
  });

  it('is every item, and no item in place of the whole collection', () => {
    const items = [7n, 9n].map((tokenId) => approvalOf(USDC, { kind: 'ERC721', amount: 1n, tokenId }));
    expect(spenderIn(shown(items))).toEqual({ amount: '#7, #9' });
    const whole = approvalOf(USDC, { kind: 'ERC1155', amount: 'all' });
    expect(spenderIn(shown([whole, ...items]))).toEqual({ amount: 'unlimited' });
  });

  it('is told of every token account: an approval of one replaces none of another', () => {
    const small = approvalOf(USDC, { kind: 'SPL', holder: '0x0E' });
    const large = approvalOf(USDC, { kind: 'SPL', holder: '0x0F', amount: 2_500_000n });
    expect(spenderIn(shown([large, small]))).toEqual({ amount: '4', usdValue: '8.00' });
    const all = shown([{ ...large, amount: 'all' }, small]);
    expect([spenderIn(all), all.validation?.reason]).toEqual([{ amount: 'unlimited' }, 'unlimited_approval']);
    expect(spenderIn(shown([{ ...small, amount: 'all' }, small]))).toEqual({ amount: '1.5', usdValue: '3.00' });
  });
});

it.each([
  ['the catalogue has it', true, '2000.00', 2_000],
  ['an organization has named it', false, undefined, undefined],
])('the native currency has a worth if %s', (_, isNativeKnown, usdPrice, nativeTokenUsdPrice) => {
  const payment = { token: null, kind: 'NATIVE', from: OWNER, to: SHOP, amount: 10n ** 18n } as const;
  const { outAssets, priceData } = previewOf({
    network: { ...NETWORK, isNativeKnown },
    account: OWNER,
    outcome: { movements: [payment], approvals: [], failure: null },
    names: new Map(),
    prices: new Map([['ETH', 2_000]]),
  });
  expect([outAssets?.[0]?.transferOut?.[0]?.usdPrice, priceData?.nativeTokenUsdPrice]).toEqual([
    usdPrice,
    nativeTokenUsdPrice,
  ]);
});
