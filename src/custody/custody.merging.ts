import { Injectable } from '@nestjs/common';
import { MergingPart, merges, type MergedTable } from '../database/index.js';
import { KeyImportRow } from './imports/key-import.entity.js';
import { KeyShareSet } from './threshold/key-share-set.entity.js';

export const CUSTODY_MERGED: readonly MergedTable[] = [
  merges(KeyImportRow, { subject: 'userId', fate: 'ended', what: 'keys on their way in', why: 'good for minutes' }),
  merges(KeyShareSet, {
    subject: 'userId',
    fate: 'refused',
    what: 'shares of keys',
    why: 'they are sealed to their user',
  }),
];

@Injectable()
export class CustodyMerging extends MergingPart {
  readonly merging = CUSTODY_MERGED;
}
