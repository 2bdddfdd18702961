import type { Program } from '../stack/program.js';

/** Sends every pending message once. */
export interface DeliveriesJob {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly environmentId: string;
  /** The URL to post to. */
  readonly url: string;
  /** Rows of `webhook_messages` to send, and the body of each. */
  readonly messages: readonly string[];
  readonly body: string;
  /** Concurrent jobs. */
  readonly concurrency: number;
}

export interface DeliveriesResult {
  readonly delivered: number;
  readonly perSecond: number;
}

export type BareDeliveriesProgram = Program<DeliveriesJob, DeliveriesResult>;
