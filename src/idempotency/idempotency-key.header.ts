/** In lower case, as in Node's headers. */
export const IDEMPOTENCY_KEY = 'idempotency-key';
