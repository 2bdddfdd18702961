import type { ClaimedMessage } from '../delivery/claimed-message.js';
import type { LiveEvent } from './live-events.js';

type Addressee = Pick<ClaimedMessage, 'environmentId' | 'kind' | 'messageId' | 'webhookId' | 'sample'> &
  Partial<ClaimedMessage>;

/** A message that is in no table: it is sent once and leaves no trace. */
export const unclaimedMessage = (event: LiveEvent, addressee: Addressee): ClaimedMessage => ({
  url: '',
  sealedSecret: Buffer.alloc(0),
  failing: false,
  attempt: 1,
  redelivery: false,
  leaseToken: '',
  eventId: event.eventId,
  eventName: event.eventName,
  eventCreatedAt: event.createdAt,
  userId: event.userId,
  externalUserId: event.externalUserId,
  eventData: event.data,
  ...addressee,
});
