import { Injectable } from '@nestjs/common';
import type { AccountFamily } from '../account-networks.js';
import { BitcoinHoldings } from './bitcoin-holdings.js';
import type { HoldingsReader } from './holding.js';
import { IndexedHoldings } from './indexed-holdings.js';
import { SolanaHoldings } from './solana-holdings.js';
import { SuiHoldings } from './sui-holdings.js';

/** The reader for each kind of network. */
@Injectable()
export class HoldingsReaders {
  private readonly readers: Record<AccountFamily, HoldingsReader>;

  constructor(evm: IndexedHoldings, solana: SolanaHoldings, sui: SuiHoldings, bitcoin: BitcoinHoldings) {
    this.readers = { evm, solana, sui, bitcoin };
  }

  of(family: AccountFamily): HoldingsReader {
    return this.readers[family];
  }
}
