import { Injectable } from '@nestjs/common';
import { MergingPart, merges, type MergedTable } from '../database/index.js';
import { RampOrder } from './ramps/ramp-order.entity.js';
import { ExchangeTransfer } from './transfers/exchange-transfer.entity.js';

export const FUNDING_MERGED: readonly MergedTable[] = [
  merges(ExchangeTransfer, {
    subject: 'userId',
    fate: 'moved',
    what: 'payouts from exchange accounts',
    why: 'money is followed to its end, and the accounts themselves pass over',
  }),
  merges(RampOrder, {
    subject: 'userId',
    fate: 'moved',
    what: 'orders and purchases',
    why: 'whoever bought is asked about it later',
  }),
];

@Injectable()
export class FundingMerging extends MergingPart {
  readonly merging = FUNDING_MERGED;
}
