import { Injectable } from '@nestjs/common';
import { MergingPart, type MergedTable } from '../database/index.js';

export const CUSTODY_MERGED: readonly MergedTable[] = [
  {
    table: 'key_imports',
    fate: 'ended',
    what: 'keys on their way in',
    why: 'good for minutes',
  },
  {
    table: 'key_share_sets',
    fate: 'refused',
    what: 'shares of keys',
    why: 'they are sealed to their user',
  },
];

@Injectable()
export class CustodyMerging extends MergingPart {
  readonly merging = CUSTODY_MERGED;
}
