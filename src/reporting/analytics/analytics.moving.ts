import { Injectable } from '@nestjs/common';
import { MovingPart, stays } from '../../moving/index.js';
import {
  AnalyticsCount,
  AnalyticsDeparture,
  AnalyticsFact,
  AnalyticsHorizon,
  AnalyticsPerson,
  AnalyticsPresence,
  AnalyticsProgress,
} from './analytics.entities.js';

const FIGURES = 'figures of sessions end here; wallets and visitors are counted there anew';

@Injectable()
export class AnalyticsMoving extends MovingPart {
  readonly moving = [];
  readonly staying = [
    ...stays(FIGURES, AnalyticsFact, AnalyticsCount, AnalyticsPerson, AnalyticsPresence, AnalyticsProgress),
    ...stays(FIGURES, AnalyticsDeparture, AnalyticsHorizon),
  ];
}
