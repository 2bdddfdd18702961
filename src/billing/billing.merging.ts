import { Injectable } from '@nestjs/common';
import { MergingPart, merges, type MergedTable } from '../database/index.js';
import { ActiveUserRow } from './usage.entities.js';

export const BILLING_MERGED: readonly MergedTable[] = [
  merges(ActiveUserRow, {
    subject: 'userId',
    fate: 'kept',
    what: 'whether the user was counted this month',
    why: 'what was counted stays counted, and nobody is counted twice after an undoing',
  }),
];

@Injectable()
export class BillingMerging extends MergingPart {
  readonly merging = BILLING_MERGED;
}
