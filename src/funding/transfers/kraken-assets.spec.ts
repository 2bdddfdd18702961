import { describe, expect, it } from '@jest/globals';
import { NAMED_NETWORKS } from '../network-names.js';
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
    ['constructor', 'constructor'],
  ])('%s is %s to others', (asset, symbol) => expect(symbolOf(asset)).toBe(symbol));

  it('are named as the vendor names them', () =>
    expect(['BTC', 'ETH', 'valueOf'].map(assetOf)).toEqual(['XBT', 'ETH', 'valueOf']));

  it.each([
    ['Ethereum (ERC20)', 'ethereum', true],
    ['Ether', 'ethereum', true],
    ['USDC (Base)', 'base', true],
    ['Arbitrum One (Ethereum)', 'ethereum', false],
    ['Arbitrum One', 'arbitrum', true],
    ['Bitcoin', 'bitcoin', true],
    ['Bitcoin', 'ethereum', false],
    ['Tether USD (Solana)', 'solana', true],
    ['Tether USD (TRC20)', 'ethereum', false],
    ['Tether USD (TRC20)', 'tron', true],
    ['Tether USD (Avalanche C-Chain)', 'ethereum', false],
    ['Tether USD (Avalanche C-Chain)', 'avalanche-c-chain', true],
    ['Tether USD (ERC20)', 'ethereum', true],
    ['Tether USD (SPL)', 'ethereum', false],
    ['Tether USD (SPL)', 'solana', true],
    ['USDT - Avalanche C-Chain', 'avalanche', true],
    ['Avalanche X-Chain', 'avalanche-c-chain', false],
    ['TRC20 (USDC)', 'ethereum', false],
    ['USDT0 - Sei (EVM)', 'ethereum', false],
    ['Ether (Hex)', 'ethereum', true],
    ['LINK - Ethereum (Unified)', 'ethereum', true],
    ['Wrapped Bitcoin (ERC20)', 'ethereum', true],
    ['Wrapped Bitcoin (ERC20)', 'bitcoin', false],
    ['Ethereum (Polygon)', 'ethereum', false],
    ['Ethereum (Polygon)', 'polygon', true],
    ['Polygon (ERC20)', 'polygon', false],
    ['Ethereum (Linea)', 'ethereum', false],
    ['Ethereum (BEP20)', 'ethereum', false],
    ['BNB - BNB Chain', 'bnb', true],
    ['Ether Classic (Hex)', 'ethereum', false],
    ['ETH - Arbitrum One (Unified)', 'arbitrum one', true],
    ['Arbitrum Nova', 'arbitrum', false],
    ['zkSync Era', 'ethereum', false],
    ['Bitcoin Cash', 'bitcoin', false],
    ['Bitcoin Lightning', 'bitcoin', false],
    ['Bitcoin Lightning', 'bitcoin cash', false],
    ['Bitcoin Cash', 'bitcoin cash', true],
    ['Ethereum (Linea)', 'linea', true],
    ['VET - VeChain', 'vechain', true],
    ['Coinbase', 'base', false],
    ['Ether', '(', false],
    ['Ether', '.*', false],
  ])('the way %s leads over %s: %s', (method, network, leads) => expect(isOnNetwork(method, network)).toBe(leads));

  it.each(NAMED_NETWORKS)('know %s by the name that it has here', (network) => {
    expect(NAMED_NETWORKS.filter((method) => isOnNetwork(method, network))).toEqual([network]);
  });
});
