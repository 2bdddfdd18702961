import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import type { EnvironmentId } from '../../database/index.js';
import type { ExchangeKey } from '../exchanges/exchange.dto.js';
import { networkNamed } from '../network-names.js';
import type {
  Account,
  AccountsQuery,
  ExchangeTransaction,
  TransactionsQuery,
  TransferDestinationResponse,
} from './exchange-account.dto.js';
import { asExchangeError } from './exchange-faults.js';
import { ExchangeSessions } from './exchange-sessions.js';
import { invalidTransferNetwork } from './exchange-transfer.errors.js';
import type { VendorAccount } from './exchange-vendor.js';

/** A user's own accounts, as reported by the exchange. */
@Injectable()
export class ExchangeAccounts {
  constructor(private readonly sessions: ExchangeSessions) {}

  async list(
    environmentId: EnvironmentId,
    { userId }: EndUserPrincipal,
    exchange: ExchangeKey,
    { chainName, networkId }: AccountsQuery,
  ): Promise<Account[]> {
    const network = chainName ? networkNamed(chainName, networkId) : null;
    if (chainName && !network) throw invalidTransferNetwork();
    const { vendor, session } = await this.sessions.open(environmentId, userId, exchange);
    const accounts = await asExchangeError(vendor.accounts(session));
    if (!network) return accounts.map((account) => shown(exchange, account));
    const movable = await asExchangeError(vendor.currenciesOn(session, network.name));
    return accounts.flatMap((account) => {
      const balances = account.balances.filter(({ currency }) => movable.has(currency));
      return balances.length === 0 ? [] : [{ ...shown(exchange, { ...account, balances }), chain: chainName }];
    });
  }

  async transactions(
    environmentId: EnvironmentId,
    { userId }: EndUserPrincipal,
    exchange: ExchangeKey,
    { accountId }: TransactionsQuery,
  ): Promise<ExchangeTransaction[]> {
    const { vendor, session } = await this.sessions.open(environmentId, userId, exchange);
    const accounts = await asExchangeError(vendor.accounts(session));
    const asked = accountId === undefined ? accounts : accounts.filter(({ id }) => id === accountId);
    if (accountId !== undefined && asked.length === 0) throw notFound();
    const transactions = await asExchangeError(vendor.transactions(session, asked));
    return transactions
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
      .map(({ reference, hash, status, amount, currency, createdAt }) => ({
        transactionId: reference,
        ...(hash && { transactionHash: hash }),
        ...(status && { status }),
        amount,
        currency,
        createdAt,
      }));
  }

  async destinations(
    environmentId: EnvironmentId,
    { userId }: EndUserPrincipal,
    exchange: ExchangeKey,
  ): Promise<TransferDestinationResponse> {
    const { vendor, session } = await this.sessions.open(environmentId, userId, exchange);
    const found = await asExchangeError(vendor.destinations(session));
    const destinations = new Map<string, string[]>();
    for (const { address, tokens } of found)
      destinations.set(address, [...new Set([...(destinations.get(address) ?? []), ...tokens])]);
    return {
      destinations: [...destinations].map(([address, tokens]) => ({ address, tokens })),
      enforcesAddressWhitelist: vendor.hasWhitelist,
    };
  }
}

const shown = (exchange: ExchangeKey, { id, name, type, balances }: VendorAccount): Account => ({
  id,
  exchange,
  balances,
  ...(name && { name }),
  ...(type && { type }),
});
