import { Injectable } from '@nestjs/common';
import { getAddress, isAddress } from 'viem';
import { Config } from '../../config/index.js';
import { VendorClient, type VendorQuestion } from '../sources/vendor-client.js';
import { VendorUnavailableError } from '../sources/vendor-unavailable.error.js';
import { EvmHoldings } from './evm-holdings.js';
import type { Holding, HoldingsQuestion, HoldingsReader } from './holding.js';

const VENDOR = 'balances-indexer';
const MOST_TOKENS = 500;
/** The indexer returns a hundred tokens per page. Accounts with more than all these pages hold mostly spam. */
const MOST_PAGES = 5;
/** As for nodes. */
const KEPT_MS = 60_000;

/**
 * Asks an indexer which tokens an account has (`alchemy_getTokenBalances`,
 * https://www.alchemy.com/docs/data/token-api/token-api-endpoints/alchemy-get-token-balances), and the chain for the
 * amounts: an indexer may lag, so its answer is only a hint.
 */
@Injectable()
export class IndexedHoldings implements HoldingsReader {
  constructor(
    private readonly config: Config,
    private readonly vendors: VendorClient,
    private readonly chain: EvmHoldings,
  ) {}

  async read(question: HoldingsQuestion): Promise<Holding[]> {
    const url = this.config.get('CHAIN_INDEXERS')[question.network.caip2]?.balances;
    const found = url ? await this.tokensOf(url, question.account, question.fresh) : [];
    return this.chain.read({ ...question, contracts: [...question.contracts, ...found] });
  }

  /** An unavailable indexer is an error: otherwise tokens would be missing without notice. */
  private async tokensOf(url: string, account: string, fresh: boolean): Promise<string[]> {
    const found: string[] = [];
    const until = this.vendors.deadline();
    let page: TokenPage | null = null;
    for (let read = 0; read < MOST_PAGES && (page === null || page.next !== null); read += 1) {
      page = await this.page(url, account, page?.next ?? null, { fresh, until });
      found.push(...page.contracts);
    }
    return found.slice(0, MOST_TOKENS);
  }

  private page(
    url: string,
    account: string,
    pageKey: string | null,
    when: Pick<VendorQuestion, 'fresh' | 'until'>,
  ): Promise<TokenPage> {
    const params = [account, 'erc20', ...(pageKey === null ? [] : [{ pageKey }])];
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'alchemy_getTokenBalances', params });
    const headers = { 'content-type': 'application/json' };
    const question = { vendor: VENDOR, urls: [url], method: 'POST' as const, headers, body, keptMs: KEPT_MS, ...when };
    return this.vendors.json(question, pageOf);
  }
}

interface TokenPage {
  contracts: string[];
  next: string | null;
}

function pageOf(value: unknown): TokenPage {
  const { result } = (value ?? {}) as { result?: { tokenBalances?: unknown; pageKey?: unknown } };
  if (!Array.isArray(result?.tokenBalances)) throw new VendorUnavailableError(VENDOR, 'garbage');
  const contracts = (result.tokenBalances as { contractAddress?: unknown; tokenBalance?: unknown; error?: unknown }[])
    .filter(({ tokenBalance, error }) => !error && typeof tokenBalance === 'string' && !/^0x0*$/.test(tokenBalance))
    .map(({ contractAddress }) => contractAddress)
    .filter((address): address is string => typeof address === 'string' && isAddress(address, { strict: false }))
    .map((address) => getAddress(address));
  return { contracts, next: typeof result.pageKey === 'string' && result.pageKey !== '' ? result.pageKey : null };
}
