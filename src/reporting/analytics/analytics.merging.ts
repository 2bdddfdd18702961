import { Injectable } from '@nestjs/common';
import { MergingPart, merges, type MergedTable } from '../../database/index.js';
import { AnalyticsFact, AnalyticsPerson } from './analytics.entities.js';

export const ANALYTICS_MERGED: readonly MergedTable[] = [
  merges(AnalyticsFact, {
    subject: 'userId',
    fate: 'ended',
    what: 'visits that no figure counts yet',
    why: 'notes of seconds; the figures themselves stay',
  }),
  merges(AnalyticsPerson, {
    subject: 'userId',
    fate: 'ended',
    what: 'the place in sets of people',
    why: 'figures of the past count two people, as they were; whoever is back is counted anew',
  }),
];

@Injectable()
export class AnalyticsMerging extends MergingPart {
  readonly merging = ANALYTICS_MERGED;
}
