import { Injectable } from '@nestjs/common';
import { formatUnits, getAddress, isAddress } from 'viem';
import { Config } from '../../config/index.js';
import { indexerNotConfigured } from '../chain.errors.js';
import { foreignText } from '../foreign-text.js';
import { VendorClient } from '../sources/vendor-client.js';
import { VendorUnavailableError } from '../sources/vendor-unavailable.error.js';
import type { WalletTransactionAssetTransfer } from './history.dto.js';
import {
  isTime,
  KEPT_MS,
  wrongOffset,
  type HistoryPage,
  type HistoryQuestion,
  type HistorySource,
  type PastTransaction,
} from './history.js';

const VENDOR = 'history-indexer';
type Row = Record<string, unknown>;
const LISTS = ['txlist', 'tokentx'] as const;
/** ERC-20 has a byte for them; beyond, any amount would be as good as none. */
const MAX_DECIMALS = 255;

/**
 * Asks an indexer with the Etherscan API (https://docs.etherscan.io/api-endpoints/accounts, also offered by Blockscout
 * and others): transactions and token transfers, joined by hash. Pages end between blocks, so that no block is split.
 */
@Injectable()
export class EvmHistory implements HistorySource {
  constructor(
    private readonly config: Config,
    private readonly vendors: VendorClient,
  ) {}

  async page({ network, account, limit, offset }: HistoryQuestion): Promise<HistoryPage> {
    const base = this.config.get('CHAIN_INDEXERS')[network.caip2]?.history;
    if (!base) throw indexerNotConfigured();
    if (offset !== null && !/^\d{1,15}$/.test(offset)) throw wrongOffset();
    const [own, tokens] = await Promise.all(LISTS.map((action) => this.ask(base, action, account, limit, offset)));
    const page = wholeBlocks([own!, tokens!], limit);
    return { transactions: joined(page.rows, network.nativeDecimals), next: page.next };
  }

  private ask(base: string, action: string, account: string, limit: number, endBlock: string | null): Promise<Row[]> {
    const url = new URL(base);
    const params = { module: 'account', action, address: account, page: '1', offset: String(limit), sort: 'desc' };
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
    if (endBlock !== null) url.searchParams.set('endblock', endBlock);
    return this.vendors.json({ vendor: VENDOR, urls: [url.href], keptMs: KEPT_MS }, (value) => rowsOf(value, action));
  }
}

function rowsOf(value: unknown, action: string): Row[] {
  const { status, result } = (value ?? {}) as { status?: unknown; result?: unknown };
  // A status of 0 with a list is an account without transactions; with a text, an error.
  if (!Array.isArray(result)) {
    const isLimit = status === '0' && /rate limit/i.test(String(result));
    throw new VendorUnavailableError(VENDOR, isLimit ? 'rate_limited' : 'refused');
  }
  return (result as Row[]).map((row) => {
    const isSound =
      isNumber(row['blockNumber']) &&
      isNumber(row['timeStamp']) &&
      isTime(Number(row['timeStamp'])) &&
      /^0x[0-9a-f]{64}$/i.test(String(row['hash'])) &&
      /^0x[0-9a-f]{64}$/i.test(String(row['blockHash'])) &&
      isAddress(String(row['from']), { strict: false }) &&
      /^\d{1,78}$/.test(String(row['value']));
    if (!isSound) throw new VendorUnavailableError(VENDOR, 'garbage');
    return { ...row, action };
  });
}

const isNumber = (value: unknown): boolean => /^\d{1,15}$/.test(String(value));
const blockOf = (row: Row): number => Number(row['blockNumber']);

/** A full list may end within a block: that block begins the next page, unless it is the only one. */
function wholeBlocks(lists: readonly Row[][], limit: number): { rows: Row[]; next: string | null } {
  const floors = lists.flatMap((rows) => (rows.length < limit ? [] : [Math.min(...rows.map(blockOf))]));
  const all = lists.flat().sort((a, b) => blockOf(b) - blockOf(a));
  if (floors.length === 0) return { rows: all, next: null };
  const floor = Math.max(...floors);
  const above = all.filter((row) => blockOf(row) > floor);
  if (above.length > 0) return { rows: above, next: String(floor) };
  return { rows: all.filter((row) => blockOf(row) >= floor), next: floor > 0 ? String(floor - 1) : null };
}

function joined(rows: readonly Row[], decimals: number): PastTransaction[] {
  const byHash = new Map<string, PastTransaction>();
  const ordered = [...rows].sort((a, b) => Number(b['action'] === 'txlist') - Number(a['action'] === 'txlist'));
  for (const row of ordered) {
    const hash = String(row['hash']);
    const transaction = byHash.get(hash) ?? {
      hash,
      blockNumber: blockOf(row),
      blockHash: String(row['blockHash']),
      time: Number(row['timeStamp']),
      from: addressIn(row, 'from'),
      // Parties of the token transfer, if the transaction itself is not in the list.
      to: addressIn(row, 'to') || addressIn(row, 'contractAddress'),
      transfers: [],
    };
    transaction.transfers.push(...transferOf(row, decimals));
    byHash.set(hash, transaction);
  }
  return [...byHash.values()].sort((a, b) => b.blockNumber - a.blockNumber);
}

const textIn = (row: Row, name: string): string => {
  const value = row[name];
  return typeof value === 'string' ? foreignText(value, 100) : '';
};

const addressIn = (row: Row, name: string): string => {
  const text = textIn(row, name);
  return isAddress(text, { strict: false }) ? getAddress(text) : '';
};

function transferOf(row: Row, nativeDecimals: number): WalletTransactionAssetTransfer[] {
  const raw = BigInt(String(row['value']));
  const parties = { fromAddress: addressIn(row, 'from'), toAddress: addressIn(row, 'to') };
  if (raw === 0n || parties.toAddress === '' || row['isError'] === '1') return [];
  if (row['action'] === 'txlist') return [{ ...parties, amount: Number(formatUnits(raw, nativeDecimals)) }];
  const decimals = isNumber(row['tokenDecimal']) ? Math.min(Number(row['tokenDecimal']), MAX_DECIMALS) : 0;
  const metadata = { name: textIn(row, 'tokenName'), symbol: textIn(row, 'tokenSymbol'), decimals };
  return [
    {
      ...parties,
      tokenAddress: addressIn(row, 'contractAddress'),
      amount: Number(formatUnits(raw, decimals)),
      metadata,
    },
  ];
}
