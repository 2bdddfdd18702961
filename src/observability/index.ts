export { Durations } from './durations.js';
export { gauge, type Metric, type MetricSource } from './metric.js';
export { MetricsServer } from './metrics-server.js';
export { Metrics } from './metrics.js';
export { ObservabilityModule } from './observability.module.js';
export { Observers } from './observers.js';
export { Tracing } from './tracing.js';
export { VendorFigures } from './vendor-figures.js';
