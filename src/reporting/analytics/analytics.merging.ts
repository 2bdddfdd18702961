import { Injectable } from '@nestjs/common';
import { MergingPart, type MergedTable } from '../../database/index.js';

export const ANALYTICS_MERGED: readonly MergedTable[] = [
  {
    table: 'analytics_facts',
    fate: 'ended',
    what: 'visits that no figure counts yet',
    why: 'notes of seconds; the figures themselves stay',
  },
  {
    table: 'analytics_people',
    fate: 'ended',
    what: 'the place in sets of people',
    why: 'figures of the past count two people, as they were; whoever is back is counted anew',
  },
];

@Injectable()
export class AnalyticsMerging extends MergingPart {
  readonly merging = ANALYTICS_MERGED;
}
