export { IdempotencyModule } from './idempotency.module.js';
export { CallPatience } from './call-patience.js';
export { IdempotencyPurge } from './idempotency-purge.job.js';
export { KeyedRequests } from './keyed-requests.js';
export * from './idempotency.errors.js';
