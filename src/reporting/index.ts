export { AnalyticsRollup } from './analytics/analytics-rollup.service.js';
export { probeStorage } from './exports/storage/chosen-storage.js';
export { ReportingModule } from './reporting.module.js';
