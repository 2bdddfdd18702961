import { Injectable } from '@nestjs/common';
import { MergingPart, type MergedTable } from '../database/index.js';

export const FUNDING_MERGED: readonly MergedTable[] = [
  {
    table: 'exchange_transfers',
    fate: 'moved',
    what: 'payouts from exchange accounts',
    why: 'money is followed to its end, and the accounts themselves pass over',
  },
  {
    table: 'ramp_orders',
    fate: 'moved',
    what: 'orders and purchases',
    why: 'whoever bought is asked about it later',
  },
];

@Injectable()
export class FundingMerging extends MergingPart {
  readonly merging = FUNDING_MERGED;
}
