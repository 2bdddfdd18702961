import { Module } from '@nestjs/common';
import { AnalyticsModule } from './analytics/analytics.module.js';

/** What a team reads about its application: figures over time. */
@Module({ imports: [AnalyticsModule] })
export class ReportingModule {}
