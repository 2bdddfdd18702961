import { Injectable } from '@nestjs/common';
import { formatUnits, getAddress, isAddress, zeroAddress } from 'viem';
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
/** Of each list, where fewer end within the first block. A block with more of one account is shown in part. */
const MOST_ROWS = 200;
/** ERC-20 has a byte for them; beyond, any amount would be as good as none. */
const MAX_DECIMALS = 255;

/**
 * Asks an indexer with the Etherscan API (https://docs.etherscan.io/api-endpoints/accounts, also offered by Blockscout
 * and others): transactions and token transfers, joined by hash. Only blocks that were read to their end are shown; a page
 * that ends within one says how many of its transactions it has shown.
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
    const { endBlock, skipped } = placeOf(offset);
    const read = async (rows: number): Promise<FoundRows> =>
      wholeBlocks(await Promise.all(LISTS.map((action) => this.ask(base, action, account, rows, endBlock))), rows);
    // One more than is shown, so that a page rarely ends within the block that it begins with.
    let found = await read(Math.min(limit + skipped + 1, MOST_ROWS));
    if (found.isCut) found = await read(MOST_ROWS);
    const all = joined(found.rows, network.nativeDecimals);
    const transactions = all.slice(skipped, skipped + limit);
    const shown = all.slice(0, skipped + limit);
    return { transactions, next: shown.length < all.length ? placeAfter(shown) : found.next };
  }

  private ask(base: string, action: string, account: string, rows: number, endBlock: string | null): Promise<Row[]> {
    const url = new URL(base);
    const params = { module: 'account', action, address: account, page: '1', offset: String(rows), sort: 'desc' };
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
    if (endBlock !== null) url.searchParams.set('endblock', endBlock);
    return this.vendors.json({ vendor: VENDOR, urls: [url.href], keptMs: KEPT_MS }, (value) => rowsOf(value, action));
  }
}

/** Where a page begins: with a block, or within it, after those of its transactions that were shown. */
function placeOf(offset: string | null): { endBlock: string | null; skipped: number } {
  if (offset === null) return { endBlock: null, skipped: 0 };
  const [, endBlock, skipped = '0'] = /^(\d{1,15})(?:\.(\d{1,3}))?$/.exec(offset) ?? [];
  if (endBlock === undefined) throw wrongOffset();
  return { endBlock, skipped: Number(skipped) };
}

function placeAfter(shown: readonly PastTransaction[]): string {
  const block = shown.at(-1)!.blockNumber;
  return `${block}.${shown.filter(({ blockNumber }) => blockNumber === block).length}`;
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
      (action === 'txlist' || addressIn(row, 'contractAddress') !== '') &&
      /^\d{1,78}$/.test(String(row['value']));
    if (!isSound) throw new VendorUnavailableError(VENDOR, 'garbage');
    return { ...row, action };
  });
}

const isNumber = (value: unknown): boolean => /^\d{1,15}$/.test(String(value));
const blockOf = (row: Row): number => Number(row['blockNumber']);

interface FoundRows {
  rows: Row[];
  /** The block to go on with; null after the last. */
  next: string | null;
  /** Whether the rows are of a single block that may have more. */
  isCut: boolean;
}

/** A full list may end within a block: that block begins the next page, unless it is the only one. */
function wholeBlocks(lists: readonly Row[][], most: number): FoundRows {
  const floors = lists.flatMap((rows) => (rows.length < most ? [] : [Math.min(...rows.map(blockOf))]));
  const all = lists.flat().sort((a, b) => blockOf(b) - blockOf(a));
  if (floors.length === 0) return { rows: all, next: null, isCut: false };
  const floor = Math.max(...floors);
  const above = all.filter((row) => blockOf(row) > floor);
  if (above.length > 0) return { rows: above, next: String(floor), isCut: false };
  const next = floor > 0 ? String(floor - 1) : null;
  return { rows: all.filter((row) => blockOf(row) >= floor), next, isCut: true };
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
      // Parties of the token transfer, if the transaction itself is not in the list. A failed creation has no contract.
      to: addressIn(row, 'to') || addressIn(row, 'contractAddress') || zeroAddress,
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
