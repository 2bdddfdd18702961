import { Injectable } from '@nestjs/common';
import { MergingPart, merges, type MergedTable } from '../database/index.js';
import { AccessGrantRow } from './decisions/access-grant.entity.js';
import { ScreeningCheckRow } from './screening/screening.entities.js';

export const ACCESS_CONTROL_MERGED: readonly MergedTable[] = [
  merges(AccessGrantRow, {
    subject: 'userId',
    fate: 'ended',
    what: 'what gates and lists gave last',
    why: 'the remaining user is judged with the wallets and addresses of both; so is the other after an undoing',
  }),
  merges(ScreeningCheckRow, {
    subject: 'userId',
    fate: 'moved',
    what: 'results of screenings',
    why: 'what was found out about an address is not shaken off by a merge',
    once: ['address'],
  }),
];

@Injectable()
export class AccessControlMerging extends MergingPart {
  readonly merging = ACCESS_CONTROL_MERGED;
}
