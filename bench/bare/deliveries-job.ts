import type { Program } from '../stack/program.js';

/** Sends every message that waits, once. */
export interface DeliveriesJob {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly environmentId: string;
  /** Where to post. */
  readonly url: string;
  /** Rows of `webhook_messages` to send, and the body of each. */
  readonly messages: readonly string[];
  readonly body: string;
  /** Jobs at a time. */
  readonly concurrency: number;
}

export interface DeliveriesResult {
  readonly delivered: number;
  readonly perSecond: number;
}

export type BareDeliveriesProgram = Program<DeliveriesJob, DeliveriesResult>;
