import { Injectable } from '@nestjs/common';
import { knownAddress } from '../chain-faults.js';
import { VendorClient } from '../sources/vendor-client.js';
import { VendorUnavailableError } from '../sources/vendor-unavailable.error.js';
import { nativeHolding, type Holding, type HoldingsQuestion, type HoldingsReader } from './holding.js';

const VENDOR = 'esplora';
/** As for the nodes of other chains. */
const KEPT_MS = 60_000;

/** https://github.com/Blockstream/esplora/blob/master/API.md: confirmed outputs of an address, minus those spent. */
@Injectable()
export class BitcoinHoldings implements HoldingsReader {
  constructor(private readonly vendors: VendorClient) {}

  async read({ network, account, fresh }: HoldingsQuestion): Promise<Holding[]> {
    const urls = network.urls.map((url) => `${url.replace(/\/+$/, '')}/address/${account}`);
    const question = { vendor: VENDOR, urls, keptMs: KEPT_MS, fresh, circuit: network.urls.join(' ') };
    const satoshis = this.vendors.json(question, satoshisOf);
    return [nativeHolding(network, await knownAddress(satoshis))];
  }
}

function satoshisOf(value: unknown): bigint {
  const { chain_stats: stats } = (value ?? {}) as { chain_stats?: Record<string, unknown> };
  const [funded, spent] = [stats?.['funded_txo_sum'], stats?.['spent_txo_sum']];
  if (!Number.isSafeInteger(funded) || !Number.isSafeInteger(spent) || Number(funded) < Number(spent)) {
    throw new VendorUnavailableError(VENDOR, 'garbage');
  }
  return BigInt(Number(funded) - Number(spent));
}
