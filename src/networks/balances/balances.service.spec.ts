import { expect, it } from '@jest/globals';
import type { ClientOrigin, EnvironmentId, RateLimiter } from '../../auth/index.js';
import type { AccountNetworks } from '../account-networks.js';
import type { Rates } from '../rates/rates.js';
import { BalancesService } from './balances.service.js';
import type { Holding } from './holding.js';
import type { HoldingsReaders } from './holdings-readers.js';

const ACCOUNT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const named = (symbol: string, more: Partial<Holding>): Holding => ({
  ...{ address: ACCOUNT, name: symbol, symbol, decimals: 18, logoURI: '', raw: 2n * 10n ** 18n },
  ...{ isNative: false, isListed: true, ...more },
});

it.each([
  ['of the main network, where a list names them', false, [2_000, 1, undefined]],
  ['of no test network', true, [undefined, undefined, undefined]],
])('balances have prices: %s', async (_, isTestnet, expected) => {
  const held = [named('ETH', { isNative: true }), named('USDC', {}), named('USDC', { isListed: false })];
  const balances = new BalancesService(
    { get: async () => ({ family: 'evm', isTestnet }) } as unknown as AccountNetworks,
    { of: () => ({ read: async () => held }) } as unknown as HoldingsReaders,
    {
      dollars: async () =>
        new Map([
          ['ETH', 2_000],
          ['USDC', 1],
        ]),
    } as unknown as Rates,
    {} as RateLimiter,
  );
  const query = { networkId: 1, accountAddress: ACCOUNT, includePrices: true, filterSpamTokens: false };
  const found = await balances.ofAccount('e' as EnvironmentId, 'EVM', query, {} as ClientOrigin);
  expect(found.map(({ price }) => price)).toEqual(expected);
});
