import { Injectable } from '@nestjs/common';
import { formatUnits } from 'viem';
import { RATE_RULES, RateLimiter, type ClientOrigin, type EnvironmentId } from '../../auth/index.js';
import { ApiError } from '../../common/errors/index.js';
import { accountAddress, AccountNetworks } from '../account-networks.js';
import { asApiError } from '../chain-faults.js';
import { Rates } from '../rates/rates.js';
import type {
  AccountBalancesQuery,
  MultichainAccountBalanceResponse,
  MultichainAccountBalanceResponseNetworks,
  MultichainAccountBalancesRequest,
  TokenBalance,
} from './balance.dto.js';
import type { Holding } from './holding.js';
import { HoldingsReaders } from './holdings-readers.js';

interface Wanted {
  chain: string;
  networkId: number;
  account: string;
  contracts: readonly string[];
  fresh: boolean;
  filterSpam: boolean;
}

/** Account balances, as read from the chains. */
@Injectable()
export class BalancesService {
  constructor(
    private readonly networks: AccountNetworks,
    private readonly readers: HoldingsReaders,
    private readonly rates: Rates,
    private readonly limiter: RateLimiter,
  ) {}

  /** A network that cannot be read fails the whole request: this list cannot mark anything as missing. */
  async ofAccount(
    environmentId: EnvironmentId,
    chain: string,
    query: AccountBalancesQuery,
    client: ClientOrigin,
  ): Promise<TokenBalance[]> {
    const {
      networkId,
      accountAddress: text,
      includePrices = false,
      includeNative = true,
      forceRefresh = false,
    } = query;
    const account = accountAddress(chain, text);
    if (forceRefresh) await this.limiter.assertWithin(RATE_RULES.balanceRefresh, client);
    const ids = networkId === undefined ? await this.networks.enabled(environmentId, chain) : [networkId];
    const { filterSpamTokens: filterSpam = true, whitelistedContracts: contracts = [] } = query;
    const prices = includePrices ? await this.rates.dollars() : new Map<string, number>();
    const all = await Promise.all(
      ids.map((id) =>
        this.read(environmentId, { chain, networkId: id, account, contracts, fresh: forceRefresh, filterSpam }, prices),
      ),
    );
    return all.flat().filter(({ isNative }) => includeNative || !isNative);
  }

  async ofAccounts(
    environmentId: EnvironmentId,
    { balanceRequests, filterSpamTokens = true }: MultichainAccountBalancesRequest,
  ): Promise<MultichainAccountBalanceResponse> {
    const prices = await this.rates.dollars();
    const accounts = balanceRequests.map(({ address, chain, networkIds, whitelistedContracts = [] }) => ({
      chain,
      account: accountAddress(chain, address),
      contracts: whitelistedContracts,
      ids: [...new Set(networkIds)],
    }));
    const chainBalances = await Promise.all(
      accounts.map(async ({ chain, account, contracts, ids }) => {
        const wanted = { chain, account, contracts, fresh: false, filterSpam: filterSpamTokens };
        const networks = await Promise.all(
          ids.map((networkId) => this.readMarked(environmentId, { ...wanted, networkId }, prices)),
        );
        return { walletAddress: account, chain, networks };
      }),
    );
    return { chainBalances };
  }

  /** Networks that cannot be read are listed with the reason. */
  private async readMarked(
    environmentId: EnvironmentId,
    wanted: Wanted,
    prices: ReadonlyMap<string, number>,
  ): Promise<MultichainAccountBalanceResponseNetworks> {
    const { networkId } = wanted;
    try {
      return { networkId, balances: await this.read(environmentId, wanted, prices) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { networkId, error: { code: error.code, message: error.message } };
    }
  }

  private async read(
    environmentId: EnvironmentId,
    { chain, networkId, account, contracts, fresh, filterSpam }: Wanted,
    prices: ReadonlyMap<string, number>,
  ): Promise<TokenBalance[]> {
    const network = await this.networks.get(environmentId, { chain, networkId });
    const question = { environmentId, network, account, contracts, fresh };
    const holdings = await asApiError(this.readers.of(network.family).read(question));
    const asked = new Set(contracts.map((address) => address.toLowerCase()));
    const isShown = ({ address, isNative, isListed, raw }: Holding): boolean =>
      isNative || (raw > 0n && (isListed || !filterSpam || asked.has(address.toLowerCase())));
    // Test network assets are worth nothing, whatever they are called.
    const known = network.isTestnet ? new Map<string, number>() : prices;
    return holdings.filter(isShown).map((holding) => shown(holding, networkId, known));
  }
}

/** Prices are looked up by ticker, so only what a token list or the catalogue names can have one. */
function shown(holding: Holding, networkId: number, prices: ReadonlyMap<string, number>): TokenBalance {
  const { raw, isListed, ...token } = holding;
  const balance = Number(formatUnits(raw, token.decimals));
  const price = isListed ? prices.get(token.symbol.toUpperCase()) : undefined;
  return {
    networkId,
    ...token,
    balance,
    rawBalance: Number(raw),
    exactBalance: String(raw),
    ...(price !== undefined && { price, marketValue: price * balance }),
  };
}
