/** Tolerated clock skew between two services. */
export const LEEWAY_SECONDS = 60;

/** Whether a claim is a NumericDate (RFC 7519 section 2). */
export const isSeconds = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
