import type { ClaimedMessage } from './claimed-message.js';

/** The outcome of one attempt. */
export interface AttemptResult {
  message: ClaimedMessage;
  deliveryId: string;
  /** When the request was sent. */
  sentAt: Date;
  outcome: 'delivered' | 'failed' | 'gone';
  /** No answer within the deadline: the receiver hangs. */
  timedOut: boolean;
  /** Milliseconds until the next attempt, null when there is none. */
  retryInMs: number | null;
  request: StoredRequest;
  response: StoredResponse;
}

export interface StoredRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface StoredResponse {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** Why it failed; `status` stands for a response other than 2xx. */
  error?: 'timeout' | 'dns' | 'tls' | 'refused' | 'status';
  durationMs: number;
}
