import type { SecurityEvent } from '../security/security-event.js';

/** `Retry-After` if what is outside of the service, such as a vendor, a node or a store, cannot be reached. */
export const VENDOR_RETRY_SECONDS = 5;

/** What an error may carry besides its code and message. */
export interface ErrorDetails {
  /** One sentence on what to do about it; overrides the hint of the definition. */
  hint?: string;
  /** Structured facts for programs, such as the fields that failed. */
  payload?: Record<string, unknown>;
  /** Sent as `Retry-After`, in seconds. */
  retryAfterSeconds?: number;
  /** The exceeded limit, sent in the `RateLimit-*` headers together with `Retry-After`. */
  limit?: { most: number; windowSeconds: number };
  /** The event for the security log; never sent. */
  security?: SecurityEvent;
  /** Whether an operator has to do something about it, so that it is logged as internal errors are; never sent. */
  isFault?: boolean;
  /** For the log only; never sent. */
  cause?: unknown;
}

/**
 * An error that is shown to the client. Any other thrown error becomes a 500 that shows only the request id.
 * Created by the factories of `defineError`, so that every code sent by the service has a definition and a page.
 */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message, { cause: details.cause });
    this.name = 'ApiError';
  }
}
