import { environmentName } from '../events/environment-name.js';
import { PAYLOAD_VERSION } from '../payload-version.js';
import type { ClaimedMessage } from './claimed-message.js';

/** Writes the body of a message in one form. */
export type PayloadForm = (message: ClaimedMessage) => string;

/** Every form that a webhook may have been made for. One that was given out stays: receivers were written for it. */
export const PAYLOAD_FORMS: Readonly<Record<string, PayloadForm>> = { [PAYLOAD_VERSION]: bodyOf20261120 };

/** The body of a request in the form of its webhook, whatever the newest is. */
export function messageBody(message: ClaimedMessage, forms = PAYLOAD_FORMS): string {
  const form = forms[message.version];
  if (!form) throw new Error(`There is no form ${message.version} of messages.`);
  return form(message);
}

/**
 * The body of a request, the bytes that are signed and sent. The event's JSON is put in as it is stored: it is never
 * parsed and written again, which could change its numbers.
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
