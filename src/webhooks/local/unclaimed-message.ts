import type { ClaimedMessage } from '../delivery/claimed-message.js';
import { PAYLOAD_VERSION } from '../payload-version.js';
import type { LiveEvent } from './live-events.repository.js';

type Addressee = Pick<ClaimedMessage, 'environmentId' | 'kind' | 'messageId' | 'webhookId' | 'sample'> &
  Partial<ClaimedMessage>;

/** A message that is not stored: it is sent once and leaves no trace. */
export const unclaimedMessage = (event: LiveEvent, addressee: Addressee): ClaimedMessage => ({
  url: '',
  version: PAYLOAD_VERSION,
  sealedSecret: Buffer.alloc(0),
  sealedPreviousSecret: null,
  sealedSigningKey: null,
  sealedPreviousSigningKey: null,
  sealedHeaders: null,
  orderedBy: null,
  requestId: null,
  traceParent: null,
  failing: false,
  attempt: 1,
  redelivery: false,
  leaseToken: '',
  eventId: event.eventId,
  eventName: event.eventName,
  eventCreatedAt: event.createdAt,
  userId: event.userId,
  externalUserId: event.externalUserId,
  actor: event.actor,
  eventData: event.data,
  ...addressee,
});
