export { clockSkewMs, MAX_SKEW_MS } from './clock-skew.js';
export { HealthModule } from './health.module.js';
export { Opening } from './opening.js';
