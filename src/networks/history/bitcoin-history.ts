import { Injectable } from '@nestjs/common';
import { knownAddress } from '../chain-faults.js';
import { VendorClient } from '../sources/vendor-client.js';
import { VendorUnavailableError } from '../sources/vendor-unavailable.error.js';
import {
  isTime,
  KEPT_MS,
  wrongOffset,
  type HistoryPage,
  type HistoryQuestion,
  type HistorySource,
  type PastTransaction,
} from './history.js';

const VENDOR = 'esplora';
const SATOSHIS = 1e8;
/** Esplora's page size for confirmed transactions. */
const PAGE = 25;

interface Output {
  scriptpubkey_address?: string;
  value: number;
}
interface EsploraTransaction {
  txid: string;
  vin: { prevout: Output | null }[];
  vout: Output[];
  status: { confirmed: boolean; block_height?: number; block_hash?: string; block_time?: number };
}

/** https://github.com/Blockstream/esplora/blob/master/API.md: confirmed transactions of an address. */
@Injectable()
export class BitcoinHistory implements HistorySource {
  constructor(private readonly vendors: VendorClient) {}

  async page({ network, account, limit, offset }: HistoryQuestion): Promise<HistoryPage> {
    if (offset !== null && !/^[0-9a-f]{64}$/.test(offset)) {
      throw wrongOffset();
    }
    const path = `/address/${account}/txs/chain${offset === null ? '' : `/${offset}`}`;
    const urls = network.urls.map((url) => `${url.replace(/\/+$/, '')}${path}`);
    const all = await knownAddress(
      this.vendors.json({ vendor: VENDOR, urls, keptMs: KEPT_MS, circuit: network.urls.join(' ') }, transactionsOf),
    );
    const shown = all.slice(0, limit);
    const hasMore = all.length > shown.length || all.length === PAGE;
    return {
      transactions: shown.map((each) => pastOf(each, account)),
      next: hasMore ? (shown.at(-1)?.txid ?? null) : null,
    };
  }
}

/** At most the total supply in satoshis, so that sums are exact. */
const isOutput = ({ value, scriptpubkey_address: address }: Output): boolean =>
  Number.isSafeInteger(value) && value >= 0 && value <= 21e14 && (address === undefined || typeof address === 'string');

function transactionsOf(value: unknown): EsploraTransaction[] {
  const isSound = (each: Partial<EsploraTransaction> | null): boolean =>
    typeof each?.txid === 'string' &&
    /^[0-9a-f]{64}$/.test(each.txid) &&
    Array.isArray(each.vin) &&
    each.vin.every(({ prevout }) => prevout === null || isOutput(prevout)) &&
    Array.isArray(each.vout) &&
    each.vout.every(isOutput) &&
    each.status?.confirmed === true &&
    Number.isSafeInteger(each.status.block_height) &&
    isTime(each.status.block_time) &&
    typeof each.status.block_hash === 'string';
  if (!Array.isArray(value) || !(value as Partial<EsploraTransaction>[]).every(isSound)) {
    throw new VendorUnavailableError(VENDOR, 'garbage');
  }
  return value as EsploraTransaction[];
}

/** One transfer: what the address spent beyond its change, or what it received. Fees count as spent. */
function pastOf({ txid, vin, vout, status }: EsploraTransaction, account: string): PastTransaction {
  const inputs = vin.flatMap(({ prevout }) => (prevout ? [prevout] : []));
  const sum = (outputs: readonly Output[]): number =>
    outputs.filter((each) => each.scriptpubkey_address === account).reduce((total, { value }) => total + value, 0);
  const change = sum(vout) - sum(inputs);
  const other = (outputs: readonly Output[]): string | undefined =>
    outputs.find(({ scriptpubkey_address: address }) => address && address !== account)?.scriptpubkey_address;
  const from = change < 0 ? account : (other(inputs) ?? 'coinbase');
  const to = change < 0 ? (other(vout) ?? account) : account;
  return {
    hash: txid,
    blockNumber: status.block_height!,
    blockHash: status.block_hash!,
    time: status.block_time!,
    from,
    to,
    transfers: change === 0 ? [] : [{ fromAddress: from, toAddress: to, amount: Math.abs(change) / SATOSHIS }],
  };
}
