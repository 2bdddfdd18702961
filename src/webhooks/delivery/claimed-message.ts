import type { EnvironmentKind } from '../../auth/index.js';
import type { EventActor } from '../../database/index.js';
import type { SealedKeys } from '../webhook-secrets.js';

/** A message under lease, with everything an attempt needs. */
export interface ClaimedMessage extends SealedKeys {
  environmentId: string;
  kind: EnvironmentKind;
  messageId: string;
  webhookId: string;
  url: string;
  /** The payload version that the webhook was created for. */
  version: string;
  /** Whether its webhook has failed since the last success. */
  failing: boolean;
  /** Number of the attempt to make, from 1. */
  attempt: number;
  redelivery: boolean;
  /** The user whose later messages wait for this one; null without ordering. */
  orderedBy: string | null;
  /** Proof of the claim; a result without it is not recorded. */
  leaseToken: string;
  /** When it was claimed, by the clock of the database and by `performance.now()`; absent without a claim. */
  claimedAt?: Date;
  claimedTick?: number;
  eventId: string;
  eventName: string;
  eventCreatedAt: Date;
  userId: string | null;
  externalUserId: string | null;
  actor: EventActor | null;
  /** JSON text. */
  eventData: string;
  /** No event has occurred: an operator wants to see what would be sent. */
  sample?: true;
  /** The request that caused the event, and its W3C Trace Context; null if there was none. */
  requestId: string | null;
  traceParent: string | null;
}
