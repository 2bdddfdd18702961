import { eventListeners } from '../../database/index.js';
import { WebhookEntity } from '../webhook.entity.js';
import { PING } from '../webhook.events.js';
import { WebhookMessageEntity } from './webhook-message.entity.js';

/** Which webhooks receive an event, and how messages are created. A ping goes only to the webhook it is about. */
export const LISTENING_WEBHOOKS = eventListeners(WebhookEntity, WebhookMessageEntity, {
  listening: 'isEnabled',
  wants: 'events',
  personal: PING,
  inOrder: { column: 'ordering', value: 'user' },
  message: { listener: 'webhookId', event: 'eventId', due: 'nextAttemptAt', subject: 'orderedBy' },
});
