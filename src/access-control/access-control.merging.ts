import { Injectable } from '@nestjs/common';
import { MergingPart, type MergedTable } from '../database/index.js';

export const ACCESS_CONTROL_MERGED: readonly MergedTable[] = [
  {
    table: 'access_grants',
    fate: 'ended',
    what: 'what gates and lists gave last',
    why: 'the remaining user is judged with the wallets and addresses of both; so is the other after an undoing',
  },
  {
    table: 'screening_checks',
    fate: 'moved',
    what: 'results of screenings',
    why: 'what was found out about an address is not shaken off by a merge',
    once: ['address'],
  },
];

@Injectable()
export class AccessControlMerging extends MergingPart {
  readonly merging = ACCESS_CONTROL_MERGED;
}
