import type { EnvironmentKind } from '../../auth/index.js';
import type { EventActor } from '../../database/index.js';
import type { SealedKeys } from '../webhook-secrets.js';

/** A message under lease, with all that an attempt needs. */
export interface ClaimedMessage extends SealedKeys {
  environmentId: string;
  kind: EnvironmentKind;
  messageId: string;
  webhookId: string;
  url: string;
  /** The form of the payload that the webhook was made for. */
  version: string;
  /** Whether its webhook has failed since the last success. */
  failing: boolean;
  /** Number of the attempt to make, from 1. */
  attempt: number;
  redelivery: boolean;
  /** The user whose later messages wait for this one. */
  orderedBy: string | null;
  /** Proof of the claim; a result without it is not recorded. */
  leaseToken: string;
  eventId: string;
  eventName: string;
  eventCreatedAt: Date;
  userId: string | null;
  externalUserId: string | null;
  actor: EventActor | null;
  /** JSON text. */
  eventData: string;
  /** Nothing has happened: an operator wants to see what would be sent. */
  sample?: true;
  /** The request that caused the event, and its W3C Trace Context; null when there was none. */
  requestId: string | null;
  traceParent: string | null;
}
