import type { SecurityEvent } from '../security/security-event.js';

/** What an error may carry to the client beside its code and sentence. */
export interface ErrorDetails {
  /** One sentence on what to do about it; overrides the hint of the definition. */
  hint?: string;
  /** Structured facts for programs, such as the fields that failed. */
  payload?: Record<string, unknown>;
  /** Sent as `Retry-After`, in seconds. */
  retryAfterSeconds?: number;
  /** The limit that was exceeded, sent as `RateLimit-Policy` and its fellows beside `Retry-After`. */
  limit?: { most: number; windowSeconds: number };
  /** The line it has in the security log; never sent. */
  security?: SecurityEvent;
  /** For the log only; never sent. */
  cause?: unknown;
}

/**
 * An error a client is meant to see. Anything else that is thrown becomes a 500 that shows the request id alone.
 * Made by the factories of `defineError`, so that every code that leaves the service has a definition and a page.
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
