export { IdempotencyModule } from './idempotency.module.js';
export { CallPatience } from './call-patience.js';
export { IdempotencyPurge } from './idempotency-purge.job.js';
export { KeyedRequests } from './keyed-requests.js';
export * from './idempotency.errors.js';
export { parseKey } from './keyed-call.js';
export { IDEMPOTENCY_KEY } from './idempotency-key.header.js';
