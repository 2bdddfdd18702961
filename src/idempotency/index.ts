export { IdempotencyModule } from './idempotency.module.js';
export { CallPatience } from './call-patience.js';
export { IdempotencyPurge } from './idempotency-purge.job.js';
export { CallWork, takesWork } from './call-work.js';
export type { Work } from '../database/index.js';
export * from './idempotency.errors.js';
export { parseKey } from './keyed-call.js';
export { IDEMPOTENCY_KEY } from './idempotency-key.header.js';
