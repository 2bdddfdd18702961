import { eventListeners } from '../../database/index.js';
import { WebhookEntity } from '../webhook.entity.js';
import { PING } from '../webhook.events.js';
import { WebhookMessageEntity } from './webhook-message.entity.js';

/** Which webhooks get an event, and what a message of it says. A ping goes to the webhook it is about and to no other. */
export const LISTENING_WEBHOOKS = eventListeners(WebhookEntity, WebhookMessageEntity, {
  listening: 'isEnabled',
  wants: 'events',
  personal: PING,
  inOrder: { column: 'ordering', value: 'user' },
  message: { listener: 'webhookId', event: 'eventId', due: 'nextAttemptAt', subject: 'orderedBy' },
});
