import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AnalyticsController } from './analytics.controller.js';
import {
  AnalyticsCount,
  AnalyticsDeparture,
  AnalyticsFact,
  AnalyticsHorizon,
  AnalyticsPerson,
  AnalyticsPresence,
  AnalyticsProgress,
} from './analytics.entities.js';
import { AnalyticsJob } from './analytics.job.js';
import { AnalyticsReadsRepository } from './analytics-reads.repository.js';
import { AnalyticsRollup } from './analytics-rollup.service.js';
import { AnalyticsRollupRepository } from './analytics-rollup.repository.js';
import { AnalyticsService } from './analytics.service.js';
import { EngagementService } from './engagement.service.js';
import { MovingModule } from '../../moving/index.js';
import { AnalyticsMerging } from './analytics.merging.js';
import { AnalyticsMoving } from './analytics.moving.js';

const ENTITIES = [
  ...[AnalyticsFact, AnalyticsProgress, AnalyticsPerson, AnalyticsCount, AnalyticsPresence],
  ...[AnalyticsDeparture, AnalyticsHorizon],
];

/** Analytics on users and usage, from sums and sets maintained by the worker. */
@Module({
  imports: [MovingModule, TypeOrmModule.forFeature(ENTITIES)],
  controllers: [AnalyticsController],
  providers: [
    AnalyticsMerging,
    AnalyticsMoving,
    ...[AnalyticsService, EngagementService, AnalyticsReadsRepository],
    ...[AnalyticsRollup, AnalyticsRollupRepository, AnalyticsJob],
  ],
})
export class AnalyticsModule {}
