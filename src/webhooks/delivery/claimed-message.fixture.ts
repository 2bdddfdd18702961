import { newId } from '../../common/ids.js';
import { PAYLOAD_VERSION } from '../payload-version.js';
import type { ClaimedMessage } from './claimed-message.js';

/** A webhook message as returned by a claim. */
export const claimedMessage = (changes: Partial<ClaimedMessage> = {}): ClaimedMessage => ({
  environmentId: newId(),
  kind: 'live',
  messageId: newId(),
  webhookId: newId(),
  url: 'https://example.com/hooks',
  version: PAYLOAD_VERSION,
  sealedSecret: Buffer.from('sealed'),
  sealedPreviousSecret: null,
  sealedSigningKey: null,
  sealedPreviousSigningKey: null,
  sealedHeaders: null,
  failing: false,
  attempt: 1,
  redelivery: false,
  orderedBy: null,
  leaseToken: newId(),
  eventId: newId(),
  eventName: 'user.created',
  eventCreatedAt: new Date('2026-01-31T12:00:00.000Z'),
  userId: null,
  externalUserId: null,
  actor: null,
  eventData: '{"id": 1}',
  requestId: null,
  traceParent: null,
  ...changes,
});
