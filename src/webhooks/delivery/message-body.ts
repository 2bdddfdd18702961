import { environmentName } from '../events/environment-name.js';
import type { ClaimedMessage } from './claimed-message.js';

/**
 * The body of a request, the bytes that are signed and sent. The event's JSON is put in as it is stored: it is never
 * parsed and written again, which could change its numbers.
 */
export function messageBody(message: ClaimedMessage): string {
  const head = JSON.stringify({
    eventId: message.eventId,
    messageId: message.messageId,
    webhookId: message.webhookId,
    userId: message.userId ?? undefined,
    externalUserId: message.externalUserId ?? undefined,
    eventName: message.eventName,
    environmentId: message.environmentId,
    environmentName: environmentName(message.kind),
    timestamp: message.eventCreatedAt,
    redelivery: message.redelivery,
    sample: message.sample,
  });
  return `${head.slice(0, -1)},"data":${message.eventData}}`;
}
