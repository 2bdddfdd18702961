import { environmentName } from '../events/environment-name.js';
import { PAYLOAD_VERSION } from '../payload-version.js';
import type { ClaimedMessage } from './claimed-message.js';

/** Writes a message body in one payload version. */
export type PayloadForm = (message: ClaimedMessage) => string;

/** Every version that a webhook may have been created for. Published versions stay: receivers depend on them. */
export const PAYLOAD_FORMS: Readonly<Record<string, PayloadForm>> = { [PAYLOAD_VERSION]: bodyOf20261120 };

/** The request body in the webhook's own payload version, whatever the latest is. */
export function messageBody(message: ClaimedMessage, forms = PAYLOAD_FORMS): string {
  const form = forms[message.version];
  if (!form) throw new Error(`There is no form ${message.version} of messages.`);
  return form(message);
}

/**
 * The request body: the exact bytes that are signed and sent. The event's JSON is inserted as stored: parsing and
 * re-serialising it could change its numbers.
 */
function bodyOf20261120(message: ClaimedMessage): string {
  const head = JSON.stringify({
    eventId: message.eventId,
    messageId: message.messageId,
    webhookId: message.webhookId,
    userId: message.userId ?? undefined,
    externalUserId: message.externalUserId ?? undefined,
    actor: message.actor ?? undefined,
    eventName: message.eventName,
    environmentId: message.environmentId,
    environmentName: environmentName(message.kind),
    timestamp: message.eventCreatedAt,
    redelivery: message.redelivery,
    sample: message.sample,
  });
  return `${head.slice(0, -1)},"data":${message.eventData}}`;
}
