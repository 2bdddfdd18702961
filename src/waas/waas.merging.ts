import { Injectable } from '@nestjs/common';
import { MergingPart, type MergedTable } from '../database/index.js';

export const WAAS_MERGED: readonly MergedTable[] = [
  {
    table: 'ceremony_rooms',
    fate: 'ended',
    what: 'rooms of ceremonies',
    why: 'over within minutes',
  },
  {
    table: 'key_share_backups',
    fate: 'refused',
    what: 'copies of shares',
    why: 'they belong to an embedded wallet',
  },
  {
    table: 'wallet_secrets',
    fate: 'refused',
    what: 'secrets that open copies of shares',
    why: 'they belong to an embedded wallet',
  },
];

@Injectable()
export class WaasMerging extends MergingPart {
  readonly merging = WAAS_MERGED;
}
