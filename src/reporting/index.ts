export { AnalyticsRollup } from './analytics/analytics-rollup.service.js';
export { ReportingModule } from './reporting.module.js';
