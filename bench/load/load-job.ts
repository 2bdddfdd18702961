/** A request; `{unique}` in its body is replaced with a value unique to the run. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface LoadJob {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Keep-alive connections, each with one request at a time. */
  readonly connections: number;
  readonly durationMs: number;
  /** Each connection's pause between a response and its next request. */
  readonly pauseMs?: number;
  /** The only status that counts as success. */
  readonly status: number;
  readonly requests: readonly LoadRequest[];
  /** Whether to start the list again at its end; otherwise the job ends early. */
  readonly repeat: boolean;
  /** Prefix of every `{unique}` value of this job. */
  readonly label: string;
  /** Whether to report when each `{unique}` value was sent. */
  readonly stamps?: boolean;
}

export interface LoadResult {
  readonly answers: number;
  readonly perSecond: number;
  /** Milliseconds from sending to the last byte of the response. */
  readonly p50: number;
  readonly p99: number;
  /** How many requests of the list were sent. */
  readonly used: number;
  /** Responses with another status and broken connections, counted by kind. */
  readonly failures: Readonly<Record<string, number>>;
  /** Each `{unique}` value and when it was sent, in milliseconds of the machine's monotonic clock. */
  readonly stamps: readonly (readonly [string, number])[];
}
