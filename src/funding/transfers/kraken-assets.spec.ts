import { describe, expect, it } from '@jest/globals';
import { assetOf, isOnNetwork, symbolOf } from './kraken-assets.js';

describe('assets of Kraken', () => {
  it.each([
    ['XXBT', 'BTC'],
    ['XBT', 'BTC'],
    ['XETH', 'ETH'],
    ['ZUSD', 'USD'],
    ['XXDG', 'DOGE'],
    ['USDC', 'USDC'],
    ['XTZ', 'XTZ'],
    ['ZETA', 'ZETA'],
    ['XXRP', 'XRP'],
    ['ETH.F', 'ETH.F'],
    ['XBT.M', 'BTC.M'],
  ])('%s is %s to others', (asset, symbol) => expect(symbolOf(asset)).toBe(symbol));

  it('are named as the vendor names them', () => expect(['BTC', 'ETH'].map(assetOf)).toEqual(['XBT', 'ETH']));

  it.each([
    ['Ethereum (ERC20)', 'ethereum', true],
    ['Ether', 'ethereum', true],
    ['USDC (Base)', 'base', true],
    ['Arbitrum One (Ethereum)', 'ethereum', false],
    ['Arbitrum One', 'arbitrum', true],
    ['Bitcoin', 'bitcoin', true],
    ['Bitcoin', 'ethereum', false],
    ['Tether USD (Solana)', 'solana', true],
  ])('the way %s leads over %s: %s', (method, network, leads) => expect(isOnNetwork(method, network)).toBe(leads));
});
