import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { accountAddress, AccountNetworks, type AccountFamily, type AccountNetwork } from '../account-networks.js';
import type { Chain } from '../catalogue/chains.js';
import { chainNotSupported } from '../chain.errors.js';
import { asApiError } from '../chain-faults.js';
import type { ListedToken } from '../tokens/token-list.js';
import { TokenLists } from '../tokens/token-lists.js';
import { BitcoinHistory } from './bitcoin-history.js';
import { EvmHistory } from './evm-history.js';
import type {
  WalletTransaction,
  WalletTransactionAssetTransfer,
  WalletTransactionsQuery,
  WalletTransactionsResponse,
} from './history.dto.js';
import { labelsOf, type HistorySource, type PastTransaction } from './history.js';
import { SolanaHistory } from './solana-history.js';

const USUAL = 25;

/** Transaction history of accounts: from the chain if it keeps one, else from an indexer. */
@Injectable()
export class HistoryService {
  private readonly sources: Partial<Record<AccountFamily, HistorySource>>;

  constructor(
    private readonly networks: AccountNetworks,
    private readonly lists: TokenLists,
    evm: EvmHistory,
    solana: SolanaHistory,
    bitcoin: BitcoinHistory,
  ) {
    this.sources = { evm, solana, bitcoin };
  }

  async list(
    environmentId: EnvironmentId,
    chain: string,
    address: string,
    { networkId, limit = USUAL, offset }: WalletTransactionsQuery,
  ): Promise<WalletTransactionsResponse> {
    const account = accountAddress(chain, address);
    const network = await this.networks.get(environmentId, { chain, networkId });
    const source = this.sources[network.family];
    if (!source) throw chainNotSupported();
    const page = source.page({ environmentId, network, account, limit, offset: offset || null });
    const { transactions, next } = await asApiError(page);
    const named = await this.named(network, transactions);
    return {
      transactions: named.map((each) => shown(each, account, network)),
      ...(next !== null && { nextOffset: next }),
    };
  }

  /** The same with the names that token lists have for tokens: a mint has none, and a contract calls itself anything. */
  private async named(network: AccountNetwork, transactions: readonly PastTransaction[]): Promise<PastTransaction[]> {
    const tokens = new Set(transactions.flatMap(({ transfers }) => transfers.map(({ tokenAddress }) => tokenAddress)));
    const listed = await this.lists.of(network.chain, network.networkId);
    const known = new Map(listed.filter(({ address }) => tokens.has(address)).map((token) => [token.address, token]));
    return transactions.map(({ transfers, ...rest }) => ({
      ...rest,
      transfers: transfers.map((transfer) => withName(transfer, known.get(transfer.tokenAddress ?? ''))),
    }));
  }
}

function withName(
  transfer: WalletTransactionAssetTransfer,
  token: ListedToken | undefined,
): WalletTransactionAssetTransfer {
  if (!token) return transfer;
  const { name, symbol, logoURI } = token;
  return { ...transfer, metadata: { ...transfer.metadata, name, symbol, ...(logoURI && { imageUri: logoURI }) } };
}

function shown(
  { hash, time, from, to, transfers, ...block }: PastTransaction,
  account: string,
  network: AccountNetwork,
): WalletTransaction {
  return {
    transactionHash: hash,
    ...block,
    transactionTimestamp: new Date(time * 1000),
    blockExplorerUrls: network.explorerUrl === null ? [] : [explorerPage(network.explorerUrl, hash)],
    fromAddress: from,
    toAddress: to,
    labels: labelsOf(account, transfers),
    assetTransfers: transfers,
    chainName: network.chain as Chain,
    networkId: network.networkId,
  };
}

/** Explorers may name the cluster in the query, which must stay last. */
function explorerPage(explorerUrl: string, hash: string): string {
  const url = new URL(explorerUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/tx/${hash}`;
  return url.href;
}
