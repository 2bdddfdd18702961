import { Module } from '@nestjs/common';
import { AnalyticsModule } from './analytics/analytics.module.js';
import { ExportsModule } from './exports/exports.module.js';

/** Reports for a team on its application: figures over time, and export files of its users and visits. */
@Module({ imports: [AnalyticsModule, ExportsModule] })
export class ReportingModule {}
