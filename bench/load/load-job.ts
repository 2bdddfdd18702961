/** One request as it is sent; `{unique}` in the body becomes a value that no other request of the run has. */
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
  /** Pause of each connection between an answer and its next request. */
  readonly pauseMs?: number;
  /** The one status that counts as an answer; anything else is a failure. */
  readonly status: number;
  readonly requests: readonly LoadRequest[];
  /** Whether the list starts again at its end. One that does not ends the job early. */
  readonly repeat: boolean;
  /** Part of every `{unique}` value of this job. */
  readonly label: string;
  /** Whether to report when each `{unique}` value was sent. */
  readonly stamps?: boolean;
}

export interface LoadResult {
  readonly answers: number;
  readonly perSecond: number;
  /** Milliseconds from sending to the last byte of the answer. */
  readonly p50: number;
  readonly p99: number;
  /** How many requests of the list were sent. */
  readonly used: number;
  /** Answers with another status, and broken connections, by what was seen. */
  readonly failures: Readonly<Record<string, number>>;
  /** `{unique}` value and when it was sent, in milliseconds of the machine's monotonic clock. */
  readonly stamps: readonly (readonly [string, number])[];
}
