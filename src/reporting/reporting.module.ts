import { Module } from '@nestjs/common';
import { AnalyticsModule } from './analytics/analytics.module.js';
import { ExportsModule } from './exports/exports.module.js';

/** What a team reads about its application: figures over time, and files of its users and visits. */
@Module({ imports: [AnalyticsModule, ExportsModule] })
export class ReportingModule {}
