/** As Node names it. */
export const IDEMPOTENCY_KEY = 'idempotency-key';
